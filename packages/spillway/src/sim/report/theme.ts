// Colours for light and dark. Lines that share a picture differ in brightness and in dash as well as in hue, and each has
// its name beside it, so that none has to be told by its colour.

export const style = `:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b1f24;--soft:#59636e;--grid:#e4e8ec;
--shade:#f5f6f8;--stress:#fdf0df;--offered:#7f8a96;--offered-fill:#d9dee4;--good:#0a6cb8;--attempts:#b4460b;--refused:#7a5195;
--limit:#6b7280;--queue:#b4460b;--ok:#0a6b43;--ok-back:#e0f2e9;--bad:#9f1d1d;--bad-back:#fbe4e2;
--r0:#2f6f9f;--r1:#d98b2b;--r2:#5b9e6f;--r3:#a05195;--r4:#c9504f;--r5:#8a9099;
--s0:#e9f3ec;--s1:#fdeccf;--s2:#fbd7a2;--s3:#f5b26b;--s4:#e58647;--s5:#c9542f;--s6:#8f2318}
@media (prefers-color-scheme:dark){:root{--page:#0f1317;--card:#171c22;--ink:#e7ebef;--soft:#9aa5b1;--grid:#2a323b;
--shade:#1a2027;--stress:#2e261b;--offered:#8b97a4;--offered-fill:#333c46;--good:#5cb3f7;--attempts:#f28b4b;--refused:#c39be0;
--limit:#9aa3ad;--queue:#f28b4b;--ok:#7ed6a6;--ok-back:#12301f;--bad:#ff9d94;--bad-back:#3a1715;
--r0:#5a9fd0;--r1:#e3a655;--r2:#7dc093;--r3:#c583bb;--r4:#e67e7c;--r5:#9aa0a8;
--s0:#1b2b22;--s1:#3c3120;--s2:#5c4420;--s3:#855323;--s4:#b0602b;--s5:#d7703a;--s6:#ff8e62}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:1.5rem;margin:0 0 4px}h2{font-size:1.15rem;margin:36px 0 8px}
p{margin:0 0 8px;max-width:88ch}.quiet{color:var(--soft)}
.badge{display:inline-block;border-radius:6px;padding:1px 9px;font-weight:650;font-size:.85rem;background:var(--bad-back);color:var(--bad)}
.badge.holds{background:var(--ok-back);color:var(--ok)}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--grid);border-radius:10px;margin:14px 0}
table{border-collapse:collapse;width:100%;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:7px 10px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}
tr:last-child td{border-bottom:0}th:first-child,td:first-child{text-align:left}th{color:var(--soft);font-weight:500}
table.rules th,table.rules td{text-align:left}table.rules td:last-child{white-space:normal;min-width:280px}
td.pass{color:var(--ok)}td.fails{color:var(--bad);font-weight:600}td.unknown{color:var(--soft)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,500px),1fr));gap:12px;margin:12px 0}
.charts figure,.panels figure{margin:0;background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:10px 12px}
.panels{display:flex;flex-wrap:wrap;gap:12px}
details summary{cursor:pointer;color:var(--soft);margin-top:8px}
.plot{display:block;max-width:100%;height:auto}.charts .plot{width:100%}
.plot text{font:11.5px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--ink)}
.plot .soft{fill:var(--soft)}.plot .strong{font-weight:600}
.plot path,.plot line{fill:none;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.shade{fill:var(--shade);stroke:var(--card)}.shade-stress{fill:var(--stress);stroke:var(--card)}
.grid{stroke:var(--grid)}.bound{stroke:var(--soft);stroke-dasharray:2 4}
.plot .fill-offered{fill:var(--offered-fill);opacity:.75}.line-offered{stroke:var(--offered);stroke-width:1}
.line-good{stroke:var(--good);stroke-width:2.2}.line-good.dashed{stroke-dasharray:6 4;stroke-width:1.6}
.line-attempts{stroke:var(--attempts);stroke-width:1.4;stroke-dasharray:5 3}.line-refused{stroke:var(--refused);stroke-width:1.6}
.line-limit{stroke:var(--limit);stroke-width:1.6;stroke-dasharray:6 3}.line-in-flight{stroke:var(--good);stroke-width:2}
.line-queue{stroke:var(--queue);stroke-width:1.4}
.plot .text-good,.plot .text-in-flight{fill:var(--good)}.plot .text-attempts,.plot .text-queue{fill:var(--attempts)}
.plot .text-refused{fill:var(--refused)}.plot .text-offered{fill:var(--offered)}.plot .text-limit{fill:var(--limit)}
${[0, 1, 2, 3, 4, 5].map((i) => `.plot .fill-reason-${i}{fill:var(--r${i})}.plot .text-reason-${i}{fill:var(--r${i})}`).join('')}
${[0, 1, 2, 3, 4, 5, 6].map((i) => `.stuck-${i}{fill:var(--s${i})}`).join('')}
.plot .on-stuck-light{fill:var(--ink)}.plot .on-stuck-dark{fill:#fff}
.hover{fill:transparent}.hover:hover{fill:var(--ink);opacity:.07}
@media (prefers-color-scheme:dark){.plot .on-stuck-dark{fill:#0f1317}}
`
