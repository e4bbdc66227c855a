import type { LinkState } from "../../options/server-config.ts";
import type { Snapshot } from "../nuwa-stream.ts";

/** What limits the film at a moment; null where nothing does, and over HTTP, which goes round the emulated link. */
export function capacityOf({ path, link, atMs }: Pick<Snapshot, "path" | "link" | "atMs">): number | null {
  return path?.kind === "http" ? null : capacityAt(link, atMs);
}

/** True capacity of an emulated link at a time, ms of the epoch; null where nothing limits it. */
export function capacityAt(link: LinkState | null, atMs: number): number | null {
  if (link === null || link.capacity === null) {
    return null;
  }
  const { binMs, periodMs, bitsPerSecond } = link.capacity;
  const elapsedMs = (((atMs - link.startedAtMs) % periodMs) + periodMs) % periodMs;
  return bitsPerSecond[Math.min(bitsPerSecond.length - 1, Math.floor(elapsedMs / binMs))] ?? null;
}
