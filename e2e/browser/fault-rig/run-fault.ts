import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import type { PageRecords, Playback } from "../page-process/job.ts";
import { type CpuUse, cpuUseBetween, cpuUseOf, slowdownOf } from "../process/cpu-use.ts";
import { processGroupsOf } from "../product/with-page.ts";
import type { Fault } from "./fault.ts";
import { judge, LAST_SAMPLES, type Outcome, type PathChange } from "./outcome.ts";
import { openWatched, type Rig, type RigOptions, type WatchedPage, withRig } from "./rig.ts";

export const BUFFER_TARGET_SECONDS = 8;
/** The fault comes when the film plays with so much in its buffer; segments last 2 s. */
const BUFFER_AT_STRIKE_SECONDS = BUFFER_TARGET_SECONDS - 1;
/** A film that has come so far since it waited is no longer taken to stand still. */
const PLAYS_SECONDS = 0.5;
/** Bounds a hang only: a busy machine may take long to begin. */
const START_LIMIT_MS = 120_000;

const LOOK_MS = 250;

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
    const cpuBefore = await cpuUseOf(processGroupsOf(rig));
    const query = { buffer_s: String(BUFFER_TARGET_SECONDS), ...fault.query };
    const watched = await openWatched(rig, query, fault.prepareBlankPage);
    try {
      return await strikeAndWatch(fault, rig, watched, cpuBefore);
    } catch (error) {
      const said = [...watched.problems, rig.product.lastWords].join("\n");
      throw new FaultError(`${fault.name}: ${error instanceof Error ? error.message : error}\n${said}`, {
        cause: error,
      });
    }
  });
}

async function strikeAndWatch(
  fault: Fault,
  rig: Rig,
  watched: WatchedPage,
  cpuAtStart: CpuUse | null,
): Promise<Outcome> {
  const { page } = watched;
  await waitFor(page, "globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
  let struckAtMs = (await page.evaluate("globalThis.nuwaPlaybackProbe.navigatedAtMs")) as number;
  let cpuAtStrike = cpuAtStart;
  if (fault.strike !== undefined) {
    const enough = `globalThis.nuwaPlaybackProbe.samples.at(-1)?.bufferSeconds >= ${BUFFER_AT_STRIKE_SECONDS}`;
    await fillBuffer(page, enough);
    cpuAtStrike = await cpuUseOf(processGroupsOf(rig));
    struckAtMs = performance.timeOrigin + performance.now();
    await fault.strike(rig, watched);
  }
  const { lastsSeconds = 0, watchSeconds } = fault;
  await pause(lastsSeconds * 1000);
  await fault.heal?.(rig, watched);
  const lastedSeconds = (performance.timeOrigin + performance.now() - struckAtMs) / 1000;
  await pause((watchSeconds - lastsSeconds) * 1000);
  const cpuUse = async () => cpuUseBetween(cpuAtStrike, await cpuUseOf(processGroupsOf(rig)));
  await allowForSlowness(page, fault, await cpuUse());
  const withheld = fault.withholds === undefined ? null : { what: fault.withholds, seconds: lastedSeconds };
  return judge({ ...(await collect(page)), struckAtMs, withheld, cpuUse: await cpuUse(), ...watched });
}

/** On a machine that is busy with other things what is expected at the end may come so much later. */
async function allowForSlowness(page: Page, fault: Fault, use: CpuUse | null): Promise<void> {
  const { watchSeconds, expected } = fault;
  const limitMs = performance.now() + 1000 * watchSeconds * (slowdownOf(use) - 1);
  while (performance.now() < limitMs && !(await isAsExpected(page, expected.endPath))) await pause(LOOK_MS);
}

/** Whether the media comes by this path and the film goes on. */
async function isAsExpected(page: Page, endPath: string): Promise<boolean> {
  return page.evaluate(
    (kind, count) => {
      const { nuwaPlaybackProbe, nuwaPathLog } = globalThis as unknown as PageGlobals;
      const [early, late] = [nuwaPlaybackProbe.samples.at(-count), nuwaPlaybackProbe.samples.at(-1)];
      const goesOn = late?.isEnded === true || (late?.mediaSeconds ?? 0) > (early?.mediaSeconds ?? 0);
      return nuwaPathLog.at(-1)?.kind === kind && goesOn;
    },
    endPath,
    LAST_SAMPLES,
  );
}

/** The film waits at its beginning meanwhile: however long this takes, the rest of it is still to come. */
async function fillBuffer(page: Page, condition: string): Promise<void> {
  await page.evaluate("document.querySelector('video').pause()");
  await waitFor(page, condition);
  const from = (await page.evaluate("document.querySelector('video').currentTime")) as number;
  await page.evaluate("document.querySelector('video').play()");
  await waitFor(page, `document.querySelector('video').currentTime > ${from + PLAYS_SECONDS}`);
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
