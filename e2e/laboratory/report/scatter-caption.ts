/** What a scatter shows besides the schemes' marks. */
export interface ScatterContents {
  hasRuns: boolean;
  hasEllipses: boolean;
  hasStar: boolean;
  hasCapacity: boolean;
  /** Whether marks lie in one another. */
  hasNestedMarks: boolean;
  /** Of the throughput's axis, Mbit/s. */
  beginsAt: number;
}

/** Explains what is drawn, and nothing else. Drawings of one scatter in several sizes have one caption. */
export function scatterCaption(drawings: readonly ScatterContents[]): string {
  const has = (what: keyof Omit<ScatterContents, "beginsAt">) => drawings.some((drawing) => drawing[what]);
  const beginsAt = Math.max(...drawings.map((drawing) => drawing.beginsAt));
  const marks = [
    ...(has("hasRuns") ? ["large marks are means, small ones single runs"] : []),
    ...(has("hasNestedMarks") ? ["marks in one place lie in one another"] : []),
    ...(has("hasEllipses") ? ["ellipses hold the mean with 95 % confidence"] : []),
    ...(has("hasStar") ? ["the star is a sender that knows the link"] : []),
    ...(has("hasCapacity") ? ["the dashed line is the link's mean capacity"] : []),
  ].join(", ");
  return [
    "Throughput against the 95th percentile of the queueing delay, which falls to the right: better is up and right.",
    ...(marks === "" ? [] : [`${marks[0]?.toUpperCase()}${marks.slice(1)}.`]),
    "Each run's throughput is scaled to the link's mean capacity.",
    ...(beginsAt > 0
      ? [`The throughput's axis is broken: it begins at ${beginsAt.toFixed(1)}, not at 0.`]
      : []),
  ].join(" ");
}
