const SAMPLE_MS = 250;
/** Seldom enough to leave the main thread to the film; a chart of a minute moves by few pixels meanwhile. */
const DRAW_MS = 500;

export interface PageLoop {
  /** Takes what charts draw later. */
  readonly sample: () => void;
  /** Shows it, where anybody looks. */
  readonly draw: () => void;
}

/** Samples and draws for as long as the page is open. */
export function startPageLoop({ sample, draw }: PageLoop): void {
  setInterval(sample, SAMPLE_MS);
  setInterval(() => {
    if (!document.hidden) {
      draw();
    }
  }, DRAW_MS);
}
