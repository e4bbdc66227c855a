import type { Page } from "puppeteer";
import type { Playback } from "../page-process/job.ts";

/** What the browser fetched of a page until it showed its first frame, in bytes as they travelled, heads included. */
export interface PageWeight {
  readonly scriptBytes: number;
  readonly styleBytes: number;
  readonly wasmBytes: number;
}

interface Resource {
  readonly url: string;
  readonly bytes: number;
}

/** The runtime of learned policies, which only they need. */
const POLICY_RUNTIME = /onnx|ort[-.]/;

/** Weighs a page that shows its film, by the browser's own resource timing, its workers' included. */
export async function weighPage(page: Page): Promise<PageWeight> {
  const own = await page.evaluate(() => {
    const { firstFrameAtMs } = (globalThis as unknown as { nuwaPlaybackProbe: Playback }).nuwaPlaybackProbe;
    if (firstFrameAtMs === null) throw new Error("there was no first frame yet");
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return entries
      .filter(({ startTime }) => performance.timeOrigin + startTime <= firstFrameAtMs)
      .map(({ name, transferSize }) => ({ url: name, bytes: transferSize }));
  });
  const resources = [...own, ...(await resourcesOfWorkers(page))];
  return {
    scriptBytes: bytesOf(resources, ".js"),
    styleBytes: bytesOf(resources, ".css"),
    wasmBytes: bytesOf(resources, ".wasm"),
  };
}

/** All of them: when a worker began and when the page's first frame came are times of two clocks. */
async function resourcesOfWorkers(page: Page): Promise<Resource[]> {
  const ofEach = await Promise.all(
    page.workers().map((worker) =>
      worker.evaluate(() => {
        const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        return entries.map(({ name, transferSize }) => ({ url: name, bytes: transferSize }));
      }),
    ),
  );
  return ofEach.flat();
}

function bytesOf(resources: readonly Resource[], ending: string): number {
  return resources
    .filter(({ url }) => new URL(url).pathname.endsWith(ending) && !POLICY_RUNTIME.test(url))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}
