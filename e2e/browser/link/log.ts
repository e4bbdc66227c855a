/** What one direction of mahimahi's link logged; times in ms since the Unix epoch. */
export interface LinkLog {
  /** When the link began; events count from here. */
  startedAtMs: number;
  opportunities: LinkEvent[];
  arrivals: LinkEvent[];
  departures: Departure[];
  drops: LinkEvent[];
}

export interface LinkEvent {
  atMs: number;
  /** Size as mahimahi counts: UDP payload + 28 (UDP and IP) + 4 (TUN header). */
  bytes: number;
}

export interface Departure extends LinkEvent {
  queueingDelayMs: number;
}

/** A log that does not read as mahimahi's. */
export class LinkLogError extends Error {}

/**
 * Reads a log of `mm-link --downlink-log`. Its header's `init timestamp` is the epoch time from which all event times
 * count; its `base timestamp` is when, on the same scale, the trace began, and needs no use.
 *
 * Every opportunity is logged, used or not. mahimahi 0.98 as Debian packages it logs no `d` line for a dropped packet, so
 * drops that were not logged are worked out from arrivals and departures.
 */
export function parseLinkLog(text: string): LinkLog {
  const { startedAtMs } = parseLogHeader(text);
  const log: LinkLog = { startedAtMs, opportunities: [], arrivals: [], departures: [], drops: [] };
  const lines = text.split("\n");
  const lastIsWhole = text.endsWith("\n");
  for (const [index, line] of lines.entries()) {
    const isCutOff = index === lines.length - 1 && !lastIsWhole;
    if (line === "" || line.startsWith("#") || isCutOff) continue;
    readEvent(log, line, index + 1);
  }
  if (log.drops.length === 0) log.drops = inferDrops(log);
  return log;
}

/** When the log began, ms since the Unix epoch, and how long after that the trace did. */
export function parseLogHeader(text: string): { startedAtMs: number; traceBeganMs: number } {
  const [start, base] = ["init", "base"].map((name) =>
    new RegExp(`^# ${name} timestamp: (\\d+)$`, "m").exec(text),
  );
  if (!start) throw new LinkLogError("the link's log has no `# init timestamp` line");
  return { startedAtMs: Number(start[1]), traceBeganMs: Number(base?.[1] ?? 0) };
}

/**
 * The time, what happened, its size (of drops the packets), and a departure's delay (of drops the size).
 * e2e/laboratory/places/link_log.py has the same.
 */
const EVENT = /^(\d+) (?:([#+]) (\d+)|([-d]) (\d+) (\d+))(?: |$)/;

function readEvent(log: LinkLog, line: string, lineNumber: number): void {
  const found = EVENT.exec(line);
  if (found === null) throw new LinkLogError(`the link's log, line ${lineNumber}: "${line}" is no event`);
  const [, time, one = "", size, two = "", first, second] = found;
  const atMs = log.startedAtMs + Number(time);
  const kind = one + two;
  if (kind === "#") log.opportunities.push({ atMs, bytes: Number(size) });
  else if (kind === "+") log.arrivals.push({ atMs, bytes: Number(size) });
  else if (kind === "-") log.departures.push({ atMs, bytes: Number(first), queueingDelayMs: Number(second) });
  else readDrop(log, atMs, Number(first), Number(second));
}

function readDrop(log: LinkLog, atMs: number, packets: number, bytes: number): void {
  for (let index = 0; index < packets; index += 1) log.drops.push({ atMs, bytes: bytes / packets });
}

/**
 * The arrivals that never departed, except those that may still have been queued when the log ends: a departure's time less
 * its queueing delay is its arrival's time, both whole milliseconds, and the queue is first in, first out.
 */
function inferDrops(log: LinkLog): LinkEvent[] {
  const departed = new Map<string, number>();
  for (const departure of log.departures) {
    const key = `${arrivalOf(departure)} ${departure.bytes}`;
    departed.set(key, (departed.get(key) ?? 0) + 1);
  }
  const decidedBeforeMs = lastKnownEmptyMs(log);
  const drops: LinkEvent[] = [];
  for (const arrival of log.arrivals) {
    const key = `${arrival.atMs} ${arrival.bytes}`;
    const left = departed.get(key) ?? 0;
    if (left > 0) departed.set(key, left - 1);
    else if (arrival.atMs < decidedBeforeMs) drops.push(arrival);
  }
  return drops;
}

/**
 * Until when every arrival that was not dropped has departed. That is so up to the arrival of the last packet served, and up to
 * an opportunity after the last departure: an opportunity serves a whole packet, so it found the queue empty.
 */
function lastKnownEmptyMs({ departures, opportunities }: LinkLog): number {
  const lastDeparture = departures.at(-1);
  const lastOpportunityMs = opportunities.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
  if (lastDeparture === undefined || lastOpportunityMs > lastDeparture.atMs) return lastOpportunityMs;
  return arrivalOf(lastDeparture);
}

function arrivalOf(departure: Departure): number {
  return departure.atMs - departure.queueingDelayMs;
}
