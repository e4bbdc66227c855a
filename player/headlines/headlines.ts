/** What the page says that it won, in figures that commands have written into README.md. Pure. */

import type { MeasuredFigure, MeasuredFigures } from "./measured-figures.ts";

export interface Headline {
  readonly figure: string;
  /** Goes on behind the figure. */
  readonly meaning: string;
  /** Measures it again. */
  readonly command: string;
}

const percent = (ratio: number): string => `${(100 * ratio).toFixed(0)} %`;

/** Goes on behind a figure: how sure it is. */
function between({ interval }: MeasuredFigure): string {
  if (interval === null) return "";
  const [low, high] = interval.map((end) => end.toFixed(0).replace("-", "−"));
  return ` (95 %: ${low} to ${high})`;
}

/** Throws an Error that names the figure if one is missing. */
export function headlines(measured: MeasuredFigures): Headline[] {
  const of = (command: string) => (figure: string) => measured.figure(command, figure);
  const lte = "npm run bench -- lte";
  const filmGain = "npm run bench -- film-gain --starts 5";
  const films = `${filmGain} --picture e2e/docs/films.svg`;
  const fairness = "npm run bench -- fairness";
  const overDashjs = of(films)(
    "Kuafu: QoE_lin, more than CUBIC, dynamic, dash.js's (dash.js's own rule, without fast switching)",
  );
  const overBba = of(films)("Kuafu: QoE_lin, more than CUBIC, bba, dash.js's");
  return [
    {
      figure: percent(of(lte)("p95 queueing delay, Kuafu / CUBIC").value),
      meaning: `of CUBIC’s queueing delay at ${percent(of(lte)("goodput, Kuafu / CUBIC").value)} of its goodput, over LTE (queue of 1,000 packets)`,
      command: lte,
    },
    {
      figure: `${overDashjs.value.toFixed(0)} %`,
      meaning: `more QoE${between(overDashjs)} than dash.js’s own rule, without fast switching, under CUBIC, over twelve simulated links; than BBA there ${overBba.value.toFixed(0).replace("-", "−")} %${between(overBba)}`,
      command: filmGain,
    },
    {
      figure: of(fairness)("Jain's index, kuafu (on-demand)").value.toFixed(2),
      meaning: "Jain’s index of two simulated downloads on one link, where 1 is equal shares",
      command: fairness,
    },
  ];
}

/** A list for the page. */
export function headlinesHtml(entries: readonly Headline[]): string {
  const items = entries.map(
    ({ figure, meaning, command }) =>
      `<li><b>${typeset(figure)}</b> <span>${typeset(meaning)} <code>${escaped(command)}</code></span></li>`,
  );
  return `<ul>${items.join("")}</ul>`;
}

/** No line begins with a percent sign. */
const typeset = (text: string): string => escaped(text).replaceAll(" %", "&nbsp;%");

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
