import type { Playback } from "./job.ts";

/** Where the probe leaves its data in the page. */
export const PROBE_NAME = "nuwaPlaybackProbe";

/**
 * Runs in the page before anything of the page's own, and watches the first video element that appears: when its first frame
 * was shown, and every 100 ms how far it has come. It knows nothing of the player, so it measures every player alike.
 */
export function installPlaybackProbe(probeName: string): void {
  const SAMPLE_INTERVAL_MS = 100;
  const playback: Playback = { navigatedAtMs: performance.timeOrigin, firstFrameAtMs: null, samples: [] };
  Object.defineProperty(globalThis, probeName, { value: playback });

  const bufferAhead = (video: HTMLVideoElement): number => {
    for (let index = 0; index < video.buffered.length; index += 1) {
      const isInside =
        video.buffered.start(index) <= video.currentTime + 0.1 &&
        video.currentTime <= video.buffered.end(index);
      if (isInside) return video.buffered.end(index) - video.currentTime;
    }
    return 0;
  };

  const watch = (video: HTMLVideoElement): void => {
    video.requestVideoFrameCallback((now) => {
      playback.firstFrameAtMs = performance.timeOrigin + now;
    });
    setInterval(() => {
      playback.samples.push({
        atMs: performance.timeOrigin + performance.now(),
        mediaSeconds: video.currentTime,
        bufferSeconds: bufferAhead(video),
        videoHeight: video.videoHeight,
        isEnded: video.ended,
      });
    }, SAMPLE_INTERVAL_MS);
  };

  const observer = new MutationObserver(() => {
    const video = document.querySelector("video");
    if (video === null) return;
    observer.disconnect();
    watch(video);
  });
  observer.observe(document, { childList: true, subtree: true });
}
