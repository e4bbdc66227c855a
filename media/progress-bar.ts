import type { PackagingProgress } from "./package-film.ts";

const BAR_CELLS = 30;
const LINE_EVERY_PERCENT = 10;
const ERASE_REST = "\u001b[K"; // of a longer step before it

/** What a progress bar writes to: process.stderr, or a recorder in tests. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Draws one bar in place on a terminal; into a file or pipe it writes a line at each tenth. */
export function progressBar(output: ProgressOutput): (progress: PackagingProgress) => void {
  let lastShown = "";
  let lastTenth = -1;
  return ({ step, ratio }) => {
    const percent = Math.floor(ratio * 100);
    if (output.isTTY === true) {
      const filled = Math.round(ratio * BAR_CELLS);
      const shown = `${step} [${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)}] ${percent} %`;
      if (shown === lastShown) return;
      output.write(`\r${shown}${ERASE_REST}${percent === 100 ? "\n" : ""}`);
      lastShown = shown;
      return;
    }
    const tenth = Math.floor(percent / LINE_EVERY_PERCENT);
    if (tenth === lastTenth) return;
    lastTenth = tenth;
    output.write(`${step}: ${tenth * LINE_EVERY_PERCENT} %\n`);
  };
}
