import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import type { Presentation } from "../../../media/package-film.ts";
import type { BrowserProgram } from "../browsers/program.ts";
import type { PageRecords, Playback } from "../page-process/job.ts";
import { type CpuUse, cpuUseBetween, cpuUseOf, slowdownOf } from "../process/cpu-use.ts";
import { processGroupsOf } from "../product/with-page.ts";
import { Chance } from "./chance.ts";
import type { Fault } from "./fault.ts";
import { filmFor } from "./film-copy.ts";
import { judge, LAST_SAMPLES, type Outcome, type PathChange } from "./outcome.ts";
import { openWatched, type Rig, type WatchedPage, withRig } from "./rig.ts";
import { telemetryAfter } from "./telemetry-account.ts";

export const BUFFER_TARGET_SECONDS = 8;
/**
 * The fault comes with so much in the film's buffer: with less than a segment of 2 s to its target dash.js fetches none, and
 * where segments end is known to a microsecond (5.999999 s).
 */
const BUFFER_AT_STRIKE_SECONDS = BUFFER_TARGET_SECONDS - 2 - 0.01;
/** A film that has come so far since it waited is no longer taken to stand still. */
const PLAYS_SECONDS = 0.5;
const VIDEO = "document.querySelector('video')";
/** Bounds a hang only: a busy machine may take long to begin. */
const START_LIMIT_MS = 120_000;

/** Between a full buffer and the fault, so that it meets any moment of a segment. */
const MOMENT_SECONDS = [0, 2] as const;
const LOOK_MS = 250;

export interface RunOptions {
  readonly program: BrowserProgram;
  readonly presentation: Presentation;
  /** Of all that is left to chance. */
  readonly seed: number;
}

/** A run that could not be watched to its end; the message names the fault, and is for a person. */
export class FaultError extends Error {}

interface PageGlobals {
  nuwaStream: { records(): PageRecords; snapshot(): { notice: string | null } };
  nuwaPlaybackProbe: Playback;
  nuwaPathLog: PathChange[];
}

/**
 * Plays the film until its buffer is full, lets the fault strike, and watches what becomes of it.
 *
 * @throws FaultError whatever went wrong, a product or a browser that did not start included
 */
export async function runFault(fault: Fault, options: RunOptions): Promise<Outcome> {
  try {
    return await play(fault, options);
  } catch (error) {
    throw new FaultError(`${fault.name}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

async function play(fault: Fault, options: RunOptions): Promise<Outcome> {
  const { serverArgs = [], serverEnvironment = {}, isUdpDirect = false } = fault;
  const chance = new Chance(options.seed);
  await using film = await filmFor(fault, options.presentation, chance);
  const { presentation } = film;
  const rigOptions = {
    program: options.program,
    presentation,
    serverArgs,
    serverEnvironment,
    isUdpDirect,
    chance,
  };
  return await withRig(rigOptions, async (rig) => {
    await fault.prepare?.(rig);
    const cpuBefore = await cpuUseOf(processGroupsOf(rig));
    const query = { buffer_s: BUFFER_TARGET_SECONDS, ...fault.query };
    const watched = await openWatched(rig, query, fault.prepareBlankPage);
    try {
      return await strikeAndWatch(fault, rig, watched, cpuBefore);
    } catch (error) {
      const said = [await stateOf(watched.page), ...watched.problems, rig.product.lastWords].join("\n");
      throw new Error(`${error instanceof Error ? error.message : error}\n${said}`, { cause: error });
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
    await fillBuffer(page);
    await pause(1000 * rig.chance.between(MOMENT_SECONDS));
    cpuAtStrike = await cpuUseOf(processGroupsOf(rig));
    struckAtMs = performance.timeOrigin + performance.now();
    await fault.strike(rig, watched);
  }
  await pause(1000 * (fault.lastsSeconds === undefined ? 0 : rig.chance.between(fault.lastsSeconds)));
  await fault.heal?.(rig, watched);
  const lastedSeconds = (performance.timeOrigin + performance.now() - struckAtMs) / 1000;
  await pause(fault.watchSeconds * 1000);
  const cpuUse = async () => cpuUseBetween(cpuAtStrike, await cpuUseOf(processGroupsOf(rig)));
  await allowForSlowness(page, fault, await cpuUse());
  const withheld = fault.withholds === undefined ? null : { what: fault.withholds, seconds: lastedSeconds };
  const seen = { ...(await collect(page)), struckAtMs, lastedSeconds, withheld, cpuUse: await cpuUse() };
  const telemetry = await telemetryAfter(page, rig.product.address);
  return judge({ ...seen, telemetry, ...watched });
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

/**
 * The film waits at its beginning meanwhile, whoever else lets it play: however long this takes on a busy machine, the rest
 * of it is still to come.
 */
async function fillBuffer(page: Page): Promise<void> {
  const isFull = `globalThis.nuwaPlaybackProbe.samples.at(-1)?.bufferSeconds >= ${BUFFER_AT_STRIKE_SECONDS}`;
  await waitFor(page, `(${VIDEO}.paused || ${VIDEO}.pause()) && ${isFull}`);
  const from = (await page.evaluate(`${VIDEO}.currentTime`)) as number;
  await page.evaluate(`${VIDEO}.play()`);
  await waitFor(page, `${VIDEO}.currentTime > ${from + PLAYS_SECONDS}`);
}

/** What can be seen of the film, for the message of a run that went no further. */
async function stateOf(page: Page): Promise<string> {
  const state = page.evaluate(() => {
    const { nuwaStream, nuwaPlaybackProbe } = globalThis as unknown as Partial<PageGlobals>;
    const { currentTime, paused, seeking, readyState } = document.querySelector("video") ?? {};
    const { firstFrameAtMs = null, samples = [] } = nuwaPlaybackProbe ?? {};
    const { notice = null } = nuwaStream?.snapshot() ?? {};
    const segments = nuwaStream?.records().segments.length;
    const film = { currentTime, paused, seeking, readyState, firstFrameAtMs, last: samples.at(-1) };
    return JSON.stringify({ ...film, notice, segments });
  });
  return state.catch(String); // whatever became of the page is why this is asked
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
