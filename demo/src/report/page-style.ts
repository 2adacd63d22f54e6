// The page around the pictures.

import { pictureStyle } from './theme.ts'

export const pageStyle = `
:root{color-scheme:light dark;--page:#f6f7f9;--card:#ffffff;--ink:#1b1f24;--soft:#5b6570;--rule:#e3e7ec;
--protected:#0f6cbd;--unprotected:#c2410c;--good:#0b6b3a;--good-back:#e3f4ea;--bad:#9f2a0a;--bad-back:#fde9e2}
@media (prefers-color-scheme:dark){:root{--page:#0d1014;--card:#14181d;--ink:#e8ebef;--soft:#9aa5b1;--rule:#2a3139;
--protected:#5cb0f5;--unprotected:#f4894f;--good:#7fd6a4;--good-back:#12291c;--bad:#ffab8a;--bad-back:#341a11}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1080px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 16px}
h2{font-size:1.15rem;margin:36px 0 12px}
.lead{font-size:1.05rem;max-width:72ch}
.verdict{display:inline-block;margin:0;padding:6px 12px;border-radius:8px;font-weight:600;background:var(--rule)}
.verdict.holds{background:var(--good-back);color:var(--good)}
.verdict.does-not-hold,.verdict.invalid{background:var(--bad-back);color:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:12px;margin-top:20px}
.tile{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:12px 16px}
.tile h3{margin:0 0 6px;font-size:.85rem;font-weight:500;color:var(--soft)}
.tile dl{margin:0;display:flex;gap:24px}
.tile dl div{flex:1}
dt{font-size:.8rem}dd{margin:0;font-size:1.3rem;font-weight:650;font-variant-numeric:tabular-nums;white-space:nowrap}
.protected dt,.protected dd,caption.protected{color:var(--protected)}
.unprotected dt,.unprotected dd,caption.unprotected{color:var(--unprotected)}
figure{margin:0 0 16px;background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:16px;overflow-x:auto}
figure svg{display:block;width:100%;min-width:640px;height:auto}
figure svg + svg{margin-top:12px}
figure.narrow svg{max-width:720px;margin:0 auto}
figcaption{color:var(--soft);font-size:.9rem;margin-top:8px}
table{border-collapse:collapse;width:100%;margin:0 0 24px;font-variant-numeric:tabular-nums;font-size:.9rem;background:var(--card)}
caption{text-align:left;font-weight:600;padding:0 0 6px}
th,td{padding:6px 10px;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
th:first-child,td:first-child{text-align:left}
th{font-weight:500;color:var(--soft)}
li{margin-bottom:8px;max-width:90ch}
code{font-size:.92em}
@media (max-width:760px){table{display:block;overflow-x:auto}}
${pictureStyle}`
