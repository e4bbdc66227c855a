/** What the page says that it won, in figures that commands have written into README.md. Pure. */

import type { MeasuredFigures } from "./measured-figures.ts";

export interface Headline {
  readonly figure: string;
  /** Goes on behind the figure. */
  readonly meaning: string;
  /** Measures it again. */
  readonly command: string;
}

const percent = (ratio: number): string => `${(100 * ratio).toFixed(0)} %`;

/** Throws an Error that names the figure if one is missing. */
export function headlines(measured: MeasuredFigures): Headline[] {
  const of = (command: string) => (figure: string) => measured.figure(command, figure);
  const lte = "npm run bench -- lte";
  const films = "npm run bench -- film-gain --starts 5 --picture e2e/docs/films.svg";
  const fairness = "npm run bench -- fairness";
  const overRobustMpc = of(films)("Kuafu: QoE_lin, more than CUBIC, robust-mpc, dash.js's");
  return [
    {
      figure: percent(of(lte)("p95 queueing delay, Kuafu / CUBIC").value),
      meaning: `of CUBIC’s queueing delay at ${percent(of(lte)("goodput, Kuafu / CUBIC").value)} of its goodput, over LTE (queue of 1,000 packets)`,
      command: lte,
    },
    {
      figure: `${of(films)("Kuafu: QoE_lin, more than CUBIC, dynamic, dash.js's (dash.js's own rule, without fast switching)").value.toFixed(0)} %`,
      meaning: `more QoE than dash.js’s own rule under CUBIC, over twelve simulated links; than RobustMPC there ${overRobustMpc.value.toFixed(0)} %${overRobustMpc.mayBeNone ? ", not sure" : ""}`,
      command: "npm run bench -- film-gain",
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
      `<li><b>${escaped(figure)}</b> <span>${escaped(meaning)} <code>${escaped(command)}</code></span></li>`,
  );
  return `<ul>${items.join("")}</ul>`;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
