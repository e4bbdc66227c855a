/** Which of the segments that were fetched a viewer saw. Pure; times are of one clock. */

import type { Seek } from "./video-element.ts";

/** Of rounding, at the ends of what was played: of what only begins or ends there nothing was seen. */
const EPSILON_SECONDS = 1e-6;

interface Fetched {
  readonly index: number;
  readonly startSeconds: number;
  readonly endedAtMs: number;
}

interface FetchedPiece extends Fetched {
  readonly durationSeconds: number;
}

interface Sample {
  readonly atMs: number;
  readonly positionSeconds: number;
}

/** How the film was watched. */
interface Way {
  /** In the end. */
  readonly positionSeconds: number;
  readonly samples: readonly Sample[];
  readonly seeks?: readonly Omit<Seek, "byViewer">[];
}

type Shown<Segment> = Segment & {
  /** Until it was entered. */
  readonly seeksBefore: number;
};

/** What was played between two seeks: there the playhead only rises. */
interface Stretch {
  readonly seeksBefore: number;
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  /** From its beginning on. */
  readonly samples: readonly [Sample, ...Sample[]];
}

/** Those that the playhead entered, in the order in which they were seen, each as it was seen and as often. */
export function shownSegments<Segment extends FetchedPiece>(
  fetched: readonly Segment[],
  way: Way,
): Shown<Segment>[] {
  const shown: Shown<Segment>[] = [];
  let before: { readonly untilSeconds: number; readonly last: Segment | undefined } | undefined;
  for (const stretch of stretchesOf(way)) {
    const entered = enteredIn(stretch, fetched);
    const wentOn = before !== undefined && stretch.fromSeconds >= before.untilSeconds;
    const isSeenOn = wentOn && entered[0] === before?.last; // the viewer jumped ahead within it
    const { seeksBefore, untilSeconds } = stretch;
    shown.push(...entered.slice(isSeenOn ? 1 : 0).map((segment) => ({ ...segment, seeksBefore })));
    before = { untilSeconds, last: entered.at(-1) };
  }
  return shown;
}

/** Without those that never came to a picture. */
function stretchesOf({ positionSeconds, samples, seeks = [] }: Way): Stretch[] {
  const begins = [
    { atMs: 0, positionSeconds: 0 },
    ...seeks.map(({ endedAtMs, toSeconds }) =>
      endedAtMs === null ? null : { atMs: endedAtMs, positionSeconds: toSeconds },
    ),
  ];
  return begins.flatMap((begin, seeksBefore) => {
    if (begin === null) return [];
    const { startedAtMs = Infinity, fromSeconds = positionSeconds } = seeks[seeksBefore] ?? {};
    const inside = samples.filter(({ atMs }) => begin.atMs <= atMs && atMs < startedAtMs);
    const end = startedAtMs === Infinity ? [] : [{ atMs: startedAtMs, positionSeconds: fromSeconds }];
    return [
      {
        seeksBefore,
        fromSeconds: begin.positionSeconds,
        untilSeconds: fromSeconds,
        samples: [begin, ...inside, ...end] as const,
      },
    ];
  });
}

/** In the film's order. */
function enteredIn<Segment extends FetchedPiece>(
  { fromSeconds, untilSeconds, samples }: Stretch,
  fetched: readonly Segment[],
): Segment[] {
  const indices = new Set(fetched.map(({ index }) => index));
  return [...indices]
    .toSorted((a, b) => a - b)
    .flatMap((index) => {
      const downloads = fetched.filter((segment) => segment.index === index);
      const [{ startSeconds, durationSeconds }] = downloads as [Segment];
      const isBehind = startSeconds + durationSeconds <= fromSeconds + EPSILON_SECONDS;
      if (isBehind || startSeconds >= untilSeconds - EPSILON_SECONDS) return [];
      if (startSeconds < fromSeconds) return [seenDownload(downloads, samples[0].atMs)];
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
