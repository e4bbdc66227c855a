import { linearQoe, type Qoe } from "../../../player/src/qoe/linear-qoe.ts";
import type { LinkLog } from "../link/log.ts";
import {
  type LinkMetrics,
  meanInBins,
  measureLink,
  payloadShare,
  rateInBins,
  type TimeWindow,
} from "../link/metrics.ts";
import type { FilmData, JobResult, StampRecord } from "../page-process/job.ts";
import { type PlaybackSummary, playedSegments, summarisePlayback } from "../playback.ts";
import type { BrowserTimes } from "../process/browser-times.ts";
import { maximum, mean, median, quantile } from "../statistics.ts";
import { type HostLateness, hostLateness } from "./host-lateness.ts";
import { type PageCost, pageCost } from "./page-cost.ts";

/** Length of the bins in which the page's queueing delay is held against the link's. */
const DELAY_BIN_MS = 50;
/** Length of the bins in which estimates are held against the link's capacity. */
const CAPACITY_BIN_MS = 1000;
/** The link is in use where at least this share of its opportunities carried something. */
const IN_USE_SHARE = 0.5;

/** All figures of a cell. null where a cell has none: no link, no film, nothing measured. */
export interface CellMetrics {
  window: TimeWindow;
  goodputMegabitsPerSecond: number | null;
  serverCpuSeconds: number | null;
  pageCost: PageCost | null;
  hostLateness: HostLateness | null;
  link: LinkMetrics | null;
  /** Queueing delay as the page measured it. */
  page: PageDelay | null;
  /** Mean absolute difference between the page's queueing delay and the link's, in bins of 50 ms. */
  pageDelayErrorMs: number | null;
  receiverEstimate: EstimateError | null;
  dashjsEstimate: EstimateError | null;
  playback: PlaybackSummary | null;
  segmentMegabitsPerSecond: number[] | null;
  switches: number | null;
  qoe: Qoe | null;
}

export interface PageDelay {
  meanMs: number | null;
  p95Ms: number | null;
  maxMs: number | null;
  stamps: number;
}

/** Median of |estimate / capacity - 1| over the seconds in which the link was in use. */
export interface EstimateError {
  /** Against what UDP payload can get of the capacity, as the estimate counts. */
  ofPayloadCapacity: number | null;
  /** Against the capacity with all headers, as the link counts. */
  ofLinkCapacity: number | null;
  seconds: number;
}

export interface MeasuredCell {
  result: JobResult;
  log: LinkLog | null;
  serverCpuSeconds: number | null;
  browserTimes: readonly BrowserTimes[];
}

export function measureCell({ result, log, serverCpuSeconds, browserTimes }: MeasuredCell): CellMetrics {
  const { page } = result;
  const window = windowOf(result);
  const { stamps } = page.records;
  const film = page.kind === "film" ? measureFilm(page) : null;
  const receiver = stamps.map((stamp) => ({ atMs: stamp.receivedAtMs, value: stamp.bandwidthBitsPerSecond }));
  const dashjs =
    page.kind === "film"
      ? page.records.estimates.map(({ atMs, dashjsBitsPerSecond }) => ({ atMs, value: dashjsBitsPerSecond }))
      : [];
  return {
    window,
    goodputMegabitsPerSecond: page.kind === "bulk" ? page.download.megabitsPerSecond : null,
    serverCpuSeconds,
    pageCost: pageCost(browserTimes, stamps),
    hostLateness: hostLateness(page.records.estimates, window),
    link: log === null ? null : measureLink(log, window),
    page: pageDelay(stamps, window),
    pageDelayErrorMs: log === null ? null : pageDelayError(stamps, log, window),
    receiverEstimate: log === null ? null : estimateError(receiver, log, window),
    dashjsEstimate: log === null ? null : estimateError(dashjs, log, window),
    playback: film?.playback ?? null,
    segmentMegabitsPerSecond: film?.bitrates ?? null,
    switches: film?.switches ?? null,
    qoe: film?.qoe ?? null,
  };
}

/** A download from its request to its last byte; a film from asking for the page to the last sample. */
function windowOf({ page, openedAtMs }: JobResult): TimeWindow {
  if (page.kind === "bulk") return { fromMs: page.download.startedAtMs, toMs: page.download.endedAtMs };
  return { fromMs: openedAtMs, toMs: page.playback.samples.at(-1)?.atMs ?? openedAtMs + 1 };
}

function measureFilm({ playback, records }: FilmData) {
  const summary = summarisePlayback(playback);
  const bitrates = playedSegments(playback, records.segments).map(({ bitsPerSecond }) => bitsPerSecond / 1e6);
  const switches = bitrates.filter((bitrate, index) => index > 0 && bitrate !== bitrates[index - 1]).length;
  const qoe = linearQoe({ segmentMegabitsPerSecond: bitrates, rebufferSeconds: summary.rebufferSeconds });
  return { playback: summary, bitrates, switches, qoe };
}

function pageDelay(stamps: readonly StampRecord[], window: TimeWindow): PageDelay | null {
  const delays = stamps
    .filter(({ receivedAtMs }) => receivedAtMs >= window.fromMs && receivedAtMs < window.toMs)
    .map((stamp) => stamp.oneWayQueueingDelayMs);
  if (delays.length === 0) return null;
  return {
    meanMs: mean(delays),
    p95Ms: quantile(delays, 0.95),
    maxMs: maximum(delays),
    stamps: delays.length,
  };
}

function pageDelayError(stamps: readonly StampRecord[], log: LinkLog, window: TimeWindow): number | null {
  const seen = stamps.map((stamp) => ({ atMs: stamp.receivedAtMs, value: stamp.oneWayQueueingDelayMs }));
  const logged = log.departures.map(({ atMs, queueingDelayMs }) => ({ atMs, value: queueingDelayMs }));
  const seenBins = meanInBins(seen, window, DELAY_BIN_MS);
  const loggedBins = meanInBins(logged, window, DELAY_BIN_MS);
  const errors = seenBins.flatMap((value, bin) => {
    const truth = loggedBins[bin] ?? null;
    return value === null || truth === null ? [] : [Math.abs(value - truth)];
  });
  return mean(errors);
}

export function estimateError(
  estimates: readonly { atMs: number; value: number | null }[],
  log: LinkLog,
  window: TimeWindow,
): EstimateError | null {
  const known = estimates.flatMap(({ atMs, value }) => (value === null ? [] : [{ atMs, value }]));
  const estimated = meanInBins(known, window, CAPACITY_BIN_MS);
  const capacity = rateInBins(log.opportunities, window, CAPACITY_BIN_MS);
  const used = rateInBins(log.departures, window, CAPACITY_BIN_MS);
  const ratios = estimated.flatMap((value, bin) => {
    const offered = capacity[bin] as number;
    const isInUse = (used[bin] as number) >= IN_USE_SHARE * offered;
    return value === null || offered === 0 || !isInUse ? [] : [value / offered];
  });
  if (ratios.length === 0) return null;
  const share = payloadShare(log);
  return {
    ofPayloadCapacity: median(ratios.map((ratio) => Math.abs(ratio / share - 1))),
    ofLinkCapacity: median(ratios.map((ratio) => Math.abs(ratio - 1))),
    seconds: ratios.length,
  };
}
