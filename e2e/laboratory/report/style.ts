/** The report's own style: light and dark by the reader's preference, one column on a phone. */
const LIGHT_SERIES = [
  "#3a5fc8",
  "#d9480f",
  "#0c8a68",
  "#a626a4",
  "#b58105",
  "#0b7fab",
  "#c2255c",
  "#5c7a12",
  "#7048e8",
  "#8a5a3c",
];
const DARK_SERIES = [
  "#8fa8ff",
  "#ff8a5c",
  "#4fd1a5",
  "#e38ce0",
  "#f0c14b",
  "#5cc8f2",
  "#ff85ad",
  "#b3d44d",
  "#b19cff",
  "#d6a586",
];

const series = (colours: readonly string[]) =>
  colours.map((colour, index) => `--series-${index + 1}:${colour}`).join(";");

export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--muted:#59636e;--grid:#e6e8eb;--line:#a9b1ba;--capacity:#e3e7ec;--bad:#b42318;--panel:#f6f7f9;${series(LIGHT_SERIES)}}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e8eaed;--muted:#a3acb8;--grid:#2a2f36;--line:#5b6570;--capacity:#2c333b;--bad:#ff8f85;--panel:#1c2026;${series(DARK_SERIES)}}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem clamp(1rem,4vw,2.5rem) 3rem;max-width:76rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .4rem}
h2{font-size:1.25rem;line-height:1.25;margin:2.75rem 0 .25rem;padding-top:1.25rem;border-top:1px solid var(--grid)}
h3{font-size:1rem;margin:1.75rem 0 .5rem}
p{margin:.25rem 0 .75rem;max-width:46rem}
a{color:inherit}
.muted,figcaption{color:var(--muted);font-size:.9rem}
figure{margin:1.25rem 0}
figcaption{margin-top:.5rem;max-width:46rem}
.chart{display:block;width:100%;height:auto}
.narrow{display:none}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19.5rem),1fr));gap:1.25rem 1.5rem}
.grid h4{font-size:.9rem;font-weight:600;margin:0 0 .15rem;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:1rem 0;border:1px solid var(--grid);border-radius:.4rem}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .55rem;text-align:right;vertical-align:top;white-space:nowrap}
thead th{color:var(--muted);font-weight:500;vertical-align:bottom;border-bottom:1px solid var(--grid)}
th:first-child{text-align:left;position:sticky;left:0;background:var(--paper);font-weight:600;}
tbody tr+tr>*{border-top:1px solid var(--grid)}
td small,th small{display:block;color:var(--muted);font-size:.8rem;font-weight:400}
.chip{display:inline-block;width:.7rem;height:.7rem;border-radius:50%;margin-right:.45rem;background:var(--c)}
.star{font-style:normal;margin-right:.35rem}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;margin:.25rem 0 .75rem;padding:0;list-style:none;font-size:.9rem}
.failed{color:var(--bad)}
.failures{border-left:3px solid var(--bad);padding:.1rem 0 .1rem .9rem}
details{margin:.75rem 0}
summary{cursor:pointer;font-weight:600}
pre,code{font:.85rem/1.45 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}
pre{background:var(--panel);padding:.7rem .9rem;border-radius:.4rem;margin:.5rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem;font-size:.9rem;margin:.5rem 0}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
${LIGHT_SERIES.map((_, index) => `.s${index + 1}{--c:var(--series-${index + 1})}`).join("")}
@media (max-width:40rem){.wide{display:none}.narrow{display:block}h1{font-size:1.35rem}th,td{padding:.4rem .55rem}th:first-child{white-space:normal;min-width:8rem;max-width:9rem}dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}}
@media print{body{max-width:none}.scroll{overflow:visible}details>*{display:block}}
`.trim();
