/** Which of the segments that were fetched a viewer saw. Pure. */

interface Fetched {
  readonly index: number;
  readonly startSeconds: number;
  readonly endedAtMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly positionSeconds: number;
}

/**
 * Those that the playhead entered, in the film's order. Of one that was fetched more than once, the last that had come by
 * then: what comes later replaces what was seen already. Times are of one clock.
 */
export function shownSegments<Segment extends Fetched>(
  fetched: readonly Segment[],
  { positionSeconds, samples }: { positionSeconds: number; samples: readonly Sample[] },
): Segment[] {
  const shown = new Map<number, Segment>();
  for (const segment of fetched.toSorted((a, b) => a.endedAtMs - b.endedAtMs)) {
    const { index, startSeconds, endedAtMs } = segment;
    if (startSeconds >= positionSeconds) continue;
    const enteredAtMs = samples.find((sample) => sample.positionSeconds > startSeconds)?.atMs ?? Infinity;
    if (!shown.has(index) || endedAtMs <= enteredAtMs) shown.set(index, segment);
  }
  return [...shown.values()].toSorted((a, b) => a.index - b.index);
}
