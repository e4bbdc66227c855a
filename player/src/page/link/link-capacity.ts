import type { LinkState } from "../server-config.ts";

/** True capacity of an emulated link at a time, ms of the epoch; null where nothing limits it. */
export function capacityAt(link: LinkState | null, atMs: number): number | null {
  if (link === null || link.capacity === null) {
    return null;
  }
  const { binMs, periodMs, bitsPerSecond } = link.capacity;
  const elapsedMs = (((atMs - link.startedAtMs) % periodMs) + periodMs) % periodMs;
  return bitsPerSecond[Math.min(bitsPerSecond.length - 1, Math.floor(elapsedMs / binMs))] ?? null;
}
