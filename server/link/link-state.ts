import type { LinkCapacity, LinkState } from "../../player/src/options/server-config.ts";
import type { Message } from "../service-process.ts";

/** The name under which nothing is emulated. */
export const NO_LINK = "none";

/** @returns null if this is not how `python -m transport relay` tells of a link */
export function parseLinkState(value: unknown): LinkState | null {
  if (typeof value !== "object" || value === null) return null;
  const link = value as Message;
  const { name, title, delay_ms, loss_ratio, started_at_ms } = link;
  const queuePackets = numberOrNull(link.queue_packets);
  const queueBytes = numberOrNull(link.queue_bytes);
  const capacity = link.capacity === null ? null : parseCapacity(link.capacity);
  if (typeof name !== "string" || typeof title !== "string" || typeof delay_ms !== "number") return null;
  if (typeof loss_ratio !== "number" || typeof started_at_ms !== "number") return null;
  if (queuePackets === undefined || queueBytes === undefined || capacity === undefined) return null;
  return {
    name,
    title,
    delayMs: delay_ms,
    queuePackets,
    queueBytes,
    lossRatio: loss_ratio,
    startedAtMs: started_at_ms,
    capacity,
  };
}

/** @returns undefined if it is neither */
function numberOrNull(value: unknown): number | null | undefined {
  return value === null || typeof value === "number" ? value : undefined;
}

function parseCapacity(value: unknown): LinkCapacity | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { bin_ms: binMs, period_ms: periodMs, bits_per_s: bitsPerSecond } = value as Message;
  if (typeof binMs !== "number" || typeof periodMs !== "number" || !Array.isArray(bitsPerSecond)) {
    return undefined;
  }
  return bitsPerSecond.every((bits) => typeof bits === "number")
    ? { binMs, periodMs, bitsPerSecond }
    : undefined;
}
