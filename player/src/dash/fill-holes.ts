import type { MediaPlayerClass } from "dashjs";
import type { StreamProcessor } from "./dashjs-internals.ts";
import { listenTo } from "./listen-to.ts";

/** By which segments' ends and beginnings differ; dash.js jumps such a gap. */
const ROUNDED_SECONDS = 0.5;

type SeekingPlayer = Pick<MediaPlayerClass, "duration" | "getActiveStream" | "off" | "on">;

/**
 * Has what a jump ahead left out fetched once the viewer has gone back. dash.js, as long as the place is buffered, goes on
 * fetching where it was, and takes the playhead over all that lies between.
 *
 * @returns what ends it
 */
export function fillHoles(player: SeekingPlayer): () => void {
  return listenTo(player, {
    playbackSeeking: ({ seekTime }: { seekTime: number }) => {
      for (const processor of (player.getActiveStream()?.getStreamProcessors() ?? []) as StreamProcessor[]) {
        const holeSeconds = holeBehind(processor, seekTime, player.duration());
        if (holeSeconds === null) continue;
        if (processor.isBufferingCompleted()) processor.getBufferController().setIsBufferingCompleted(false);
        processor.setExplicitBufferingTime(holeSeconds);
        processor.getScheduleController().startScheduleTimer(0);
      }
    },
  });
}

/** Where what is buffered at a place ends, if dash.js fetches only what lies farther on; else null. */
function holeBehind(processor: StreamProcessor, seconds: number, filmSeconds: number): number | null {
  const buffered = processor.getBuffer()?.getAllBufferRanges?.();
  if (!buffered) return null;
  for (let place = 0; place < buffered.length; place += 1) {
    const endSeconds = buffered.end(place);
    if (seconds < buffered.start(place) || seconds >= endSeconds) continue;
    const nextSeconds = processor.probeNextRequest()?.startTime ?? filmSeconds;
    const comes = processor
      .getFragmentModel()
      .getRequests({ state: "loading" })
      .some(({ startTime }) => Math.abs(startTime - endSeconds) < ROUNDED_SECONDS);
    return !comes && nextSeconds > endSeconds + ROUNDED_SECONDS ? endSeconds : null;
  }
  return null;
}
