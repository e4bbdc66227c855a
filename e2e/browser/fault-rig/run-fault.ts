import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import type { PageRecords, Playback } from "../page-process/job.ts";
import type { Fault } from "./fault.ts";
import { judge, type Outcome, type PathChange } from "./outcome.ts";
import { openWatched, type Rig, type RigOptions, type WatchedPage, withRig } from "./rig.ts";

export const BUFFER_TARGET_SECONDS = 8;
/** The fault comes when the film plays with so much in its buffer; segments last 2 s. */
const BUFFER_AT_STRIKE_SECONDS = BUFFER_TARGET_SECONDS - 1;
const START_LIMIT_MS = 30_000;

/** A run in which the fault could not even be made; the message is for a person. */
export class FaultError extends Error {}

interface PageGlobals {
  nuwaStream: { records(): PageRecords; snapshot(): { notice: string | null } };
  nuwaPlaybackProbe: Playback;
  nuwaPathLog: PathChange[];
}

/** Plays the film until its buffer is full, lets the fault strike, and watches what becomes of it. */
export async function runFault(fault: Fault, options: RigOptions): Promise<Outcome> {
  return withRig({ ...options, isUdpDirect: fault.isUdpDirect ?? false }, async (rig) => {
    await fault.prepare?.(rig);
    const query = { buffer_s: String(BUFFER_TARGET_SECONDS), ...fault.query };
    const watched = await openWatched(rig, query, fault.prepareBlankPage);
    try {
      return await strikeAndWatch(fault, rig, watched);
    } catch (error) {
      const said = [...watched.problems, rig.product.lastWords].join("\n");
      throw new FaultError(`${fault.name}: ${error instanceof Error ? error.message : error}\n${said}`, {
        cause: error,
      });
    }
  });
}

async function strikeAndWatch(fault: Fault, rig: Rig, watched: WatchedPage): Promise<Outcome> {
  const { page } = watched;
  await waitFor(page, "globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
  let struckAtMs = (await page.evaluate("globalThis.nuwaPlaybackProbe.navigatedAtMs")) as number;
  if (fault.strike !== undefined) {
    const enough = `globalThis.nuwaPlaybackProbe.samples.at(-1)?.bufferSeconds >= ${BUFFER_AT_STRIKE_SECONDS}`;
    await waitFor(page, enough);
    struckAtMs = performance.timeOrigin + performance.now();
    await fault.strike(rig, watched);
  }
  const { lastsSeconds = 0, watchSeconds } = fault;
  await pause(lastsSeconds * 1000);
  await fault.heal?.(rig, watched);
  const lastedSeconds = (performance.timeOrigin + performance.now() - struckAtMs) / 1000;
  await pause((watchSeconds - lastsSeconds) * 1000);
  const withheld = fault.withholds === undefined ? null : { what: fault.withholds, seconds: lastedSeconds };
  return judge({ ...(await collect(page)), struckAtMs, withheld, ...watched });
}

async function waitFor(page: Page, condition: string): Promise<void> {
  await page.waitForFunction(condition, { timeout: START_LIMIT_MS, polling: 50 });
}

/** No inner functions here: what the compiler adds to a named function does not exist in the page. */
async function collect(page: Page) {
  return page.evaluate(() => {
    const { nuwaPlaybackProbe, nuwaPathLog, nuwaStream } = globalThis as unknown as PageGlobals;
    return {
      playback: nuwaPlaybackProbe,
      segments: nuwaStream.records().segments,
      paths: nuwaPathLog,
      notice: nuwaStream.snapshot().notice,
    };
  });
}
