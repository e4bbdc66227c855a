interface TimedSegment {
  /** "audio" or another. */
  readonly mediaType: string | null;
  /** Seconds on the presentation's timeline; NaN for an initialization segment. */
  readonly startTime: number;
}

/** Audio, which is small and whose loss is noticed first, lies below this; video above. */
const VIDEO_PRIORITIES_FROM = 2 ** 29;

/**
 * The wire's priority of a segment, 0 first: initialization segments, then audio, then video, and within each the
 * earlier deadline. All deadlines count down together, so the place on the timeline, in ms, orders them.
 */
export function requestPriority({ mediaType, startTime }: TimedSegment): number {
  if (!Number.isFinite(startTime)) {
    return 0;
  }
  const deadline = Math.min(VIDEO_PRIORITIES_FROM - 1, Math.max(1, Math.round(startTime * 1000)));
  return mediaType === "audio" ? deadline : VIDEO_PRIORITIES_FROM + deadline;
}
