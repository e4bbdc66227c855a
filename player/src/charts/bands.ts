/** Periods that are marked behind the lines: stalls, and times in which the film came over HTTP. */

export interface Band {
  readonly kind: "stall" | "http";
  readonly fromSeconds: number;
  /** null while it lasts. */
  readonly toSeconds: number | null;
  /** Of two players only this one; null for all the height. */
  readonly side: 0 | 1 | null;
}

export interface VisibleBand extends Band {
  readonly toSeconds: number;
}

/** The parts of bands that lie within a span; one that lasts reaches its end. */
export function visibleBands(bands: readonly Band[], fromSeconds: number, toSeconds: number): VisibleBand[] {
  return bands.flatMap((band) => {
    const from = Math.max(fromSeconds, band.fromSeconds);
    const to = Math.min(toSeconds, band.toSeconds ?? toSeconds);
    return from < to ? [{ ...band, fromSeconds: from, toSeconds: to }] : [];
  });
}
