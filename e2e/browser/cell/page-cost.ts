import type { StampRecord } from "../page-process/job.ts";
import type { BrowserTimes } from "../process/browser-times.ts";

/** CPU time of a page for each megabit that reached it, in ms. */
export interface PageCost {
  mainMsPerMegabit: number;
  workerMsPerMegabit: number;
  networkMsPerMegabit: number;
  /** All of the browser's processes. */
  browserMsPerMegabit: number;
  /** What it rests on: UDP payload, as stamps count it. */
  megabits: number;
}

/** Start-up is over by then: loading the page, slow start, a film's first segments. */
const SETTLE_MS = 2000;

/**
 * From the first reading after the start-up to the last before the last stamp; null without two readings.
 *
 * @param stamps in the order of their arrival
 */
export function pageCost(times: readonly BrowserTimes[], stamps: readonly StampRecord[]): PageCost | null {
  const begin = (stamps[0]?.receivedAtMs ?? Number.POSITIVE_INFINITY) + SETTLE_MS;
  const end = stamps.at(-1)?.receivedAtMs ?? Number.NEGATIVE_INFINITY;
  const within = times.filter(({ atMs }) => atMs >= begin && atMs <= end);
  const [first, last] = [within[0], within.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const megabits = ((bytesSentBy(stamps, last.atMs) - bytesSentBy(stamps, first.atMs)) * 8) / 1e6;
  const perMegabit = (part: Exclude<keyof BrowserTimes, "atMs">): number =>
    ((last[part] - first[part]) * 1000) / megabits;
  return {
    mainMsPerMegabit: perMegabit("mainSeconds"),
    workerMsPerMegabit: perMegabit("workerSeconds"),
    networkMsPerMegabit: perMegabit("networkSeconds"),
    browserMsPerMegabit: perMegabit("browserSeconds"),
    megabits,
  };
}

/** As the newest stamp by then tells; a session's numbers begin anew with the next. */
function bytesSentBy(stamps: readonly StampRecord[], atMs: number): number {
  return stamps.findLast(({ receivedAtMs }) => receivedAtMs <= atMs)?.bytesSent ?? 0;
}
