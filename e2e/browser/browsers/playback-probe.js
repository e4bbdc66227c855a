/**
 * Runs in the page before anything of the page's own, and watches the first video element that appears: when its first frame
 * was shown, and every 100 ms how far it has come. It knows nothing of the player, so it measures every player alike.
 *
 * Plain JavaScript, handed to the browser as it stands: what a compiler adds to a function would be missing there.
 */
(() => {
  const SAMPLE_INTERVAL_MS = 100;

  /** @type {import("../page-process/job.ts").Playback} */
  const playback = { navigatedAtMs: performance.timeOrigin, firstFrameAtMs: null, samples: [] };
  Object.defineProperty(globalThis, "nuwaPlaybackProbe", { value: playback });

  /** @param {HTMLVideoElement} video */
  function secondsBuffered(video) {
    for (let index = 0; index < video.buffered.length; index += 1) {
      const [start, end] = [video.buffered.start(index), video.buffered.end(index)];
      if (start <= video.currentTime + 0.1 && video.currentTime <= end) return end - video.currentTime;
    }
    return 0;
  }

  /** @param {HTMLVideoElement} video */
  function watch(video) {
    video.requestVideoFrameCallback((now) => {
      playback.firstFrameAtMs = performance.timeOrigin + now;
    });
    setInterval(() => {
      playback.samples.push({
        atMs: performance.timeOrigin + performance.now(),
        mediaSeconds: video.currentTime,
        bufferSeconds: secondsBuffered(video),
        videoHeight: video.videoHeight,
        isEnded: video.ended,
      });
    }, SAMPLE_INTERVAL_MS);
  }

  const observer = new MutationObserver(() => {
    const video = document.querySelector("video");
    if (video === null) return;
    observer.disconnect();
    watch(video);
  });
  observer.observe(document, { childList: true, subtree: true });
})();
