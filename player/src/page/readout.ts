import type { Snapshot } from "./nuwa-stream.ts";

const PHASES = ["slow start", "avoidance", "recovery"] as const;
const NOTHING = "–";

/** The live values by the `data-value` of the element that shows them. */
export function readoutTexts(snapshot: Snapshot): Record<string, string> {
  const { estimate } = snapshot;
  return {
    "nuwa-estimate": megabits(estimate?.bandwidthBitsPerSecond ?? null),
    "dashjs-estimate": megabits(snapshot.dashjsBitsPerSecond),
    delivered: megabits(estimate?.deliveredBitsPerSecond ?? null),
    "queueing-delay": milliseconds(estimate?.queueingDelaySeconds ?? null),
    "target-delay": milliseconds(estimate?.targetDelaySeconds ?? null),
    window: kilobytes(estimate?.windowBytes ?? null),
    "sender-window": kilobytes(estimate?.cwndBytes ?? null),
    phase:
      estimate?.phase === undefined || estimate.phase === null
        ? NOTHING
        : (PHASES[estimate.phase] ?? NOTHING),
    k: estimate?.k?.toFixed(1) ?? NOTHING,
    "round-trip": milliseconds(estimate?.smoothedRttSeconds ?? null),
    buffer: `${snapshot.bufferSeconds.toFixed(1)} s`,
    bitrate: megabits(snapshot.playedBitsPerSecond),
    stalls: `${snapshot.stallCount} (${(snapshot.stalledMs / 1000).toFixed(1)} s)`,
    "first-frame":
      snapshot.firstFrameAtMs === null
        ? NOTHING
        : `${((snapshot.firstFrameAtMs - snapshot.openedAtMs) / 1000).toFixed(2)} s`,
    "lost-stamps":
      estimate === null
        ? NOTHING
        : `${estimate.stampsMissing} of ${estimate.stampsReceived + estimate.stampsMissing}`,
  };
}

function megabits(bitsPerSecond: number | null): string {
  return bitsPerSecond === null ? NOTHING : `${(bitsPerSecond / 1e6).toFixed(2)} Mbit/s`;
}

function milliseconds(seconds: number | null): string {
  return seconds === null ? NOTHING : `${(seconds * 1000).toFixed(1)} ms`;
}

function kilobytes(bytes: number | null): string {
  return bytes === null ? NOTHING : `${(bytes / 1000).toFixed(0)} kB`;
}

/** Writes the texts into the elements of `root` that have a `data-value`. */
export function showReadout(root: ParentNode, snapshot: Snapshot): void {
  const texts = readoutTexts(snapshot);
  for (const element of root.querySelectorAll<HTMLElement>("[data-value]")) {
    element.textContent = texts[element.dataset.value ?? ""] ?? NOTHING;
  }
}
