import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import type { FilmData, FilmWork, PageRecords, Playback } from "./job.ts";

/** How often the page is asked whether the film is over: seldom enough to leave it to itself. */
const LOOK_MS = 1000;

interface PageGlobals {
  nuwaStream: { ready: Promise<void>; snapshot(): unknown; records(): PageRecords };
  /** browsers/playback-probe.js */
  nuwaPlaybackProbe: Playback;
}

/** Watches the film for as long as the work says, counted from the first frame. */
export async function watchFilm(page: Page, work: FilmWork, signal: AbortSignal): Promise<FilmData> {
  await page.waitForFunction("globalThis.nuwaStream !== undefined", {
    timeout: work.startLimitSeconds * 1000,
  });
  await page.evaluate(() => (globalThis as unknown as PageGlobals).nuwaStream.ready);
  await page.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null", {
    timeout: work.startLimitSeconds * 1000,
    polling: 50,
  });
  let elapsedSeconds = 0;
  for (const { afterSeconds, toSeconds } of work.seeks) {
    await pause((afterSeconds - elapsedSeconds) * 1000, undefined, { signal });
    elapsedSeconds = afterSeconds;
    await page.evaluate((seconds) => {
      const video = document.querySelector("video");
      if (video !== null) video.currentTime = seconds;
    }, toSeconds);
  }
  await passTime(page, (work.watchSeconds - elapsedSeconds) * 1000, work.stopsAtEnd, signal);
  return collect(page);
}

async function passTime(page: Page, ms: number, stopsAtEnd: boolean, signal: AbortSignal): Promise<void> {
  const untilMs = Date.now() + ms;
  while (stopsAtEnd && Date.now() < untilMs - LOOK_MS) {
    await pause(LOOK_MS, undefined, { signal });
    const isOver = await page.evaluate(() => {
      const { nuwaPlaybackProbe } = globalThis as unknown as PageGlobals;
      return nuwaPlaybackProbe.samples.at(-1)?.isEnded === true;
    });
    if (isOver) return;
  }
  await pause(Math.max(0, untilMs - Date.now()), undefined, { signal });
}

/** No inner functions here: what the compiler adds to a named function does not exist in the page. */
async function collect(page: Page): Promise<FilmData> {
  return page.evaluate(() => {
    const { nuwaPlaybackProbe, nuwaStream } = globalThis as unknown as PageGlobals;
    return {
      kind: "film" as const,
      playback: nuwaPlaybackProbe,
      records: nuwaStream.records(),
      snapshot: nuwaStream.snapshot(),
    };
  });
}
