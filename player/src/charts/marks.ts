/** Moments at which something was changed, with the name of what holds from there. */
export interface Mark {
  readonly atSeconds: number;
  readonly label: string;
  /** Of two players the one that changed; null where it concerns all. */
  readonly side: 0 | 1 | null;
}

/** More would cover the lines. */
const MOST_ROWS = 3;

/** Where a label stands that is so wide, pixels; row 0 is above the lines. It keeps clear of those before it; null without room. */
export interface PlacedLabel {
  readonly mark: Mark;
  readonly lineX: number;
  readonly textX: number;
  readonly row: number | null;
}

/**
 * Places the marks within a span of `area` pixels: labels right of their lines, left of them where there is no room, each in the
 * first of a few rows where it covers no other.
 */
export function placeLabels(
  marks: readonly Mark[],
  area: { readonly left: number; readonly width: number },
  span: { readonly fromSeconds: number; readonly toSeconds: number },
  widthOf: (label: string) => number,
  gap: number,
): PlacedLabel[] {
  const pixelsPerSecond = area.width / (span.toSeconds - span.fromSeconds);
  const rowEnds: number[] = [];
  return marks
    .filter(({ atSeconds }) => atSeconds > span.fromSeconds && atSeconds <= span.toSeconds)
    .map((mark) => {
      const lineX = area.left + (mark.atSeconds - span.fromSeconds) * pixelsPerSecond;
      const width = widthOf(mark.label);
      const hasRoom = lineX + gap + width <= area.left + area.width;
      const textX = hasRoom ? lineX + gap : Math.max(area.left, lineX - gap - width);
      const free = rowEnds.findIndex((end) => end <= textX);
      const next = rowEnds.length < MOST_ROWS ? rowEnds.length : null;
      const row = free === -1 ? next : free;
      if (row !== null) {
        rowEnds[row] = Math.max(textX + width + gap, lineX);
      }
      return { mark, lineX, textX, row };
    });
}
