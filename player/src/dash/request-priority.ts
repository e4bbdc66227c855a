import type { FragmentRequest } from "./dashjs-internals.ts";

/** Audio, which is small and whose loss is noticed first, lies below this; video above. */
const VIDEO_PRIORITIES_FROM = 2 ** 29;

/**
 * The wire's priority of a segment, 0 first: initialization segments, then audio, then video, and within each the
 * earlier deadline. All deadlines count down together, so the place on the timeline, in ms, orders them.
 */
export function requestPriority(request: Pick<FragmentRequest, "mediaType" | "startTime">): number {
  if (!Number.isFinite(request.startTime)) {
    return 0;
  }
  const deadline = Math.min(VIDEO_PRIORITIES_FROM - 1, Math.max(1, Math.round(request.startTime * 1000)));
  return request.mediaType === "audio" ? deadline : VIDEO_PRIORITIES_FROM + deadline;
}
