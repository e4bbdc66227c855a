import type { Page } from "puppeteer";
import { expect } from "vitest";
import { onPage, test } from "./page.ts";

interface Moment {
  readonly atMs: number;
  readonly frames: number;
  /** Below 0 the playhead is past what can be shown. */
  readonly aheadSeconds: number;
  /** As the page's scripts read it. */
  readonly rate: number;
  readonly stalledMs: number;
}

const SAMPLE_MS = 50;
/** A page on a busy host may look late; the sound alone goes on for 3 s. */
const PAST_END_SECONDS = 0.5;
/** A film that stands with more ahead waits for its decoder, on a busy host: no stall. */
const DATA_AHEAD_SECONDS = 0.5;

test("the film stands where its pictures have run out, though its sound goes on, and that is told as a stall", async ({
  withPages,
}) => {
  await withPages(async (running) => {
    await onPage(running, "/?muted=1&link=1mbit&quality_kbit=1500&charts=0", async (page) => {
      await watchPictures(page);
      await page.waitForFunction("nuwaStream.snapshot().stallCount >= 3");
      const moments = await page.evaluate(() => (globalThis as unknown as { moments: Moment[] }).moments);
      expect(Math.min(...moments.map(({ aheadSeconds }) => aheadSeconds))).toBeGreaterThan(-PAST_END_SECONDS);
      expect(new Set(moments.map(({ rate }) => rate))).toEqual(new Set([1]));
      const toldMs = (moments.at(-1)?.stalledMs ?? 0) - (moments[0]?.stalledMs ?? 0);
      expect(toldMs / standingMs(moments)).toBeGreaterThan(0.8);
    });
  });
});

/** Notes what is shown, and how far the playhead is past what can be. */
async function watchPictures(page: Page): Promise<void> {
  await page.evaluate((sampleMs) => {
    const video = document.querySelector("video");
    const moments: Moment[] = [];
    Object.assign(globalThis, { moments });
    setInterval(() => {
      if (video === null || video.buffered.length === 0) return;
      moments.push({
        atMs: performance.now(),
        frames: video.getVideoPlaybackQuality().totalVideoFrames,
        aheadSeconds: video.buffered.end(video.buffered.length - 1) - video.currentTime,
        rate: video.playbackRate,
        stalledMs: (
          globalThis as unknown as { nuwaStream: { snapshot(): { stalledMs: number } } }
        ).nuwaStream.snapshot().stalledMs,
      });
    }, sampleMs);
  }, SAMPLE_MS);
}

/** For how long no new picture came for want of data, where that was longer than a picture lasts. */
function standingMs(moments: readonly Moment[]): number {
  let sinceMs: number | null = null;
  let sumMs = 0;
  for (const [place, moment] of moments.entries()) {
    const before = moments[place - 1];
    if (before === undefined) continue;
    if (stands(before, moment)) {
      sinceMs ??= before.atMs;
    } else if (sinceMs !== null) {
      sumMs += before.atMs - sinceMs >= 2 * SAMPLE_MS ? before.atMs - sinceMs : 0;
      sinceMs = null;
    }
  }
  return sumMs;
}

function stands(before: Moment, { frames, aheadSeconds }: Moment): boolean {
  return frames > 0 && frames === before.frames && aheadSeconds < DATA_AHEAD_SECONDS;
}
