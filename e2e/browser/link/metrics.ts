import { maximum, mean, quantile } from "../statistics.ts";
import type { LinkEvent, LinkLog } from "./log.ts";
import { OVERHEAD_BYTES } from "./trace.ts";

/** A stretch of time, ms since the Unix epoch; its end is outside. */
export interface TimeWindow {
  fromMs: number;
  toMs: number;
}

/** What a stretch of the link's log says. Null where nothing departed. */
export interface LinkMetrics {
  capacityBitsPerSecond: number;
  throughputBitsPerSecond: number;
  utilisation: number | null;
  queueingDelayMeanMs: number | null;
  queueingDelayP50Ms: number | null;
  queueingDelayP95Ms: number | null;
  queueingDelayMaxMs: number | null;
  departedPackets: number;
  droppedPackets: number;
}

/** Queueing delay is per departed packet, so a busy millisecond weighs more than a quiet one. */
export function measureLink(log: LinkLog, window: TimeWindow): LinkMetrics {
  const departures = within(log.departures, window);
  const delays = departures.map((departure) => departure.queueingDelayMs);
  const capacityBitsPerSecond = bitsPerSecond(within(log.opportunities, window), window);
  const throughputBitsPerSecond = bitsPerSecond(departures, window);
  return {
    capacityBitsPerSecond,
    throughputBitsPerSecond,
    utilisation: capacityBitsPerSecond === 0 ? null : throughputBitsPerSecond / capacityBitsPerSecond,
    queueingDelayMeanMs: mean(delays),
    queueingDelayP50Ms: quantile(delays, 0.5),
    queueingDelayP95Ms: quantile(delays, 0.95),
    queueingDelayMaxMs: maximum(delays),
    departedPackets: departures.length,
    droppedPackets: within(log.drops, window).length,
  };
}

/** Bits per second in consecutive bins of `binMs`; the part of the window after the last whole bin is left out. */
export function rateInBins(events: readonly LinkEvent[], window: TimeWindow, binMs: number): number[] {
  const bins = new Array<number>(Math.floor((window.toMs - window.fromMs) / binMs)).fill(0);
  for (const event of events) {
    const bin = Math.floor((event.atMs - window.fromMs) / binMs);
    if (bin >= 0 && bin < bins.length) bins[bin] = (bins[bin] as number) + (event.bytes * 8 * 1000) / binMs;
  }
  return bins;
}

/** Mean of what falls into each bin of `binMs`; null where nothing does. */
export function meanInBins(
  samples: readonly { atMs: number; value: number }[],
  window: TimeWindow,
  binMs: number,
): (number | null)[] {
  const count = Math.floor((window.toMs - window.fromMs) / binMs);
  const bins: number[][] = Array.from({ length: count }, () => []);
  for (const { atMs, value } of samples) bins[Math.floor((atMs - window.fromMs) / binMs)]?.push(value);
  return bins.map(mean);
}

/**
 * Share of the link's bytes that a full packet carries as UDP payload: what an estimate made above UDP can at most see of
 * the capacity. The full packet is the commonest large one that departed.
 */
export function payloadShare(log: LinkLog): number {
  const full = quantile(
    log.departures.map((departure) => departure.bytes).filter((bytes) => bytes > 1000),
    0.5,
  );
  return full === null ? 1 : (full - OVERHEAD_BYTES) / full;
}

function within<Event extends LinkEvent>(events: readonly Event[], window: TimeWindow): Event[] {
  return events.filter((event) => event.atMs >= window.fromMs && event.atMs < window.toMs);
}

function bitsPerSecond(events: readonly LinkEvent[], window: TimeWindow): number {
  const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
  return (bytes * 8 * 1000) / (window.toMs - window.fromMs);
}
