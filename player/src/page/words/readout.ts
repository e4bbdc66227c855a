import type { Snapshot } from "../nuwa-stream.ts";
import { decisionsText, decisionTimeText } from "./sentences.ts";
import { kilobytes, megabits, milliseconds, NOTHING } from "./units.ts";

const PHASES = ["slow start", "avoidance", "recovery"] as const;

/** The live values by the `data-value` of the element that shows them. */
export function readoutTexts(snapshot: Snapshot): Record<string, string> {
  const { estimate } = snapshot;
  return {
    ...keyNumbers(snapshot),
    "receiver-estimate": megabits(estimate?.bandwidthBitsPerSecond ?? null, 2),
    "dashjs-estimate": megabits(snapshot.dashjsBitsPerSecond, 2),
    delivered: megabits(estimate?.deliveredBitsPerSecond ?? null, 2),
    "queueing-delay": milliseconds(estimate?.queueingDelaySeconds ?? null, 1),
    "target-delay": milliseconds(estimate?.targetDelaySeconds ?? null, 1),
    "host-late": milliseconds(estimate?.hostLateSeconds ?? null, 0),
    window: kilobytes(estimate?.windowBytes ?? null),
    wanted: wantedText(estimate),
    "sender-window": kilobytes(estimate?.cwndBytes ?? null),
    phase:
      estimate?.phase === undefined || estimate.phase === null
        ? NOTHING
        : (PHASES[estimate.phase] ?? NOTHING),
    k: estimate?.k?.toFixed(1) ?? NOTHING,
    decisions: decisionsText(estimate?.policy ?? null),
    "decision-time": decisionTimeText(estimate?.policy ?? null),
    "round-trip": milliseconds(estimate?.smoothedRttSeconds ?? null, 1),
    buffer: `${snapshot.bufferSeconds.toFixed(1)} s`,
    resolution: resolutionText(snapshot.video),
    "dropped-frames": droppedText(snapshot.video),
    bitrate: megabits(snapshot.playedBitsPerSecond, 2),
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

/** What the film's buffer lets the window carry, and whether that is what it is held to. */
function wantedText(estimate: Snapshot["estimate"]): string {
  const rate = megabits(estimate?.wantedBitsPerSecond ?? null, 1);
  return estimate?.isHeld ? `${rate}, held` : rate;
}

const resolutionText = (video: Snapshot["video"]): string =>
  video === null || video.widthPixels === 0 ? NOTHING : `${video.widthPixels} × ${video.heightPixels}`;

const droppedText = (video: Snapshot["video"]): string =>
  video === null ? NOTHING : `${video.droppedFrames} of ${video.frames}`;

/** The few that are shown big, without their units. */
function keyNumbers({ estimate, ...snapshot }: Snapshot): Record<string, string> {
  const bare = (value: number | null | undefined, factor: number, digits: number): string =>
    value == null ? NOTHING : (value * factor).toFixed(digits);
  return {
    "key-bitrate": bare(snapshot.playedBitsPerSecond, 1e-6, 1),
    "key-bandwidth": bare(estimate?.bandwidthBitsPerSecond, 1e-6, 1),
    "key-delay": bare(estimate?.queueingDelaySeconds, 1e3, 0),
    "key-buffer": bare(snapshot.bufferSeconds, 1, 1),
    "key-stalled": bare(snapshot.stalledMs, 1e-3, 1),
  };
}

/** Writes the texts into the elements of `root` that have a `data-value`. */
export function showReadout(root: ParentNode, snapshot: Snapshot): void {
  const texts = readoutTexts(snapshot);
  for (const element of root.querySelectorAll<HTMLElement>("[data-value]")) {
    const text = texts[element.dataset.value ?? ""] ?? NOTHING;
    if (element.textContent !== text) {
      element.textContent = text;
    }
  }
}
