// Colours for light and dark. The two services differ in hue and in brightness, so that they can be told apart without
// colour vision as well; words beside each line say the same again.

/** Style rules for the pictures, complete in themselves: a picture also stands alone in a README. */
export const pictureStyle = `
.p{--surface:#ffffff;--ink:#1b1f24;--soft:#5b6570;--grid:#e3e7ec;--shade:#f4f1e8;--shade-peak:#fbe9d7;
--offered:#8d97a3;--protected:#0f6cbd;--unprotected:#c2410c;--refused:#8fb8dc;--timeout:#d9704a;--other:#6b7280}
@media (prefers-color-scheme:dark){.p{--surface:#14181d;--ink:#e8ebef;--soft:#9aa5b1;--grid:#2a3139;--shade:#1d1f1e;
--shade-peak:#33261b;--offered:#7d8894;--protected:#5cb0f5;--unprotected:#f4894f;--refused:#2f5f8a;--timeout:#a8482a;
--other:#9aa0a8}}
.p text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--ink)}
.p .soft{fill:var(--soft)}.p .strong{font-weight:600}
.p .surface{fill:var(--surface)}.p .shade{fill:var(--shade)}.p .shade-peak{fill:var(--shade-peak)}
.p .grid{stroke:var(--grid)}.p .capacity{stroke:var(--ink);stroke-dasharray:2 4}
.p .offered{stroke:var(--offered);fill:none;stroke-width:1.5}
.p .offered-area{fill:var(--offered);opacity:.16}
.p .line-protected{stroke:var(--protected);fill:none;stroke-width:2.5;stroke-linejoin:round}
.p .line-unprotected{stroke:var(--unprotected);fill:none;stroke-width:2.5;stroke-linejoin:round}
.p .thin{stroke-width:1.3;stroke-dasharray:4 3}
.p .text-protected{fill:var(--protected);font-weight:600}.p .text-unprotected{fill:var(--unprotected);font-weight:600}
.p .text-offered{fill:var(--soft)}
.p .dot-protected{fill:var(--protected)}.p .dot-unprotected{fill:var(--unprotected)}
.p .fill-good-protected{fill:var(--protected)}.p .fill-good-unprotected{fill:var(--unprotected)}
.p .fill-refused{fill:var(--refused)}.p .fill-timeout{fill:var(--timeout);opacity:.55}.p .fill-other{fill:var(--other)}
.p .hover{fill:transparent}.p .hover:hover{fill:var(--ink);opacity:.07}
`
