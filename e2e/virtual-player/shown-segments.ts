/** Which of the segments that were fetched a viewer saw. Pure; times are of one clock. */

interface Fetched {
  readonly index: number;
  readonly startSeconds: number;
  readonly endedAtMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly positionSeconds: number;
}

/** Those that the playhead entered, in the film's order, each as it was seen. */
export function shownSegments<Segment extends Fetched>(
  fetched: readonly Segment[],
  { positionSeconds, samples }: { positionSeconds: number; samples: readonly Sample[] },
): Segment[] {
  const indices = new Set(fetched.map(({ index }) => index));
  return [...indices]
    .toSorted((a, b) => a - b)
    .flatMap((index) => {
      const downloads = fetched.filter((segment) => segment.index === index);
      const [{ startSeconds }] = downloads as [Segment];
      if (startSeconds >= positionSeconds) return [];
      const place = samples.findIndex((sample) => sample.positionSeconds > startSeconds);
      const after = samples[place];
      return [
        seenDownload(
          downloads,
          after === undefined ? Infinity : enteredAtMs(startSeconds, samples[place - 1], after),
        ),
      ];
    });
}

/**
 * When the playhead entered what begins there, by the last sample outside and the first inside. It was there at the latest as
 * long before the sample as what lies between takes to play; a stall between the two may have come later.
 */
export function enteredAtMs(startSeconds: number, before: Sample | undefined, after: Sample): number {
  const latestMs = after.atMs - 1000 * (after.positionSeconds - startSeconds);
  return Math.max(before?.atMs ?? 0, latestMs);
}

/** Of a segment's downloads, one at least, the last that had come by then: later ones replace what was seen already. */
export function seenDownload<Segment extends Fetched>(downloads: readonly Segment[], byMs: number): Segment {
  const inOrder = downloads.toSorted((a, b) => a.endedAtMs - b.endedAtMs);
  return inOrder.findLast(({ endedAtMs }) => endedAtMs <= byMs) ?? (inOrder[0] as Segment);
}
