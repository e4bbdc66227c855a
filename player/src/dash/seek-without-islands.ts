import type { MediaPlayerClass, MediaPlayerSettingClass } from "dashjs";
import { secondsAhead } from "./buffered-ranges.ts";
import { changeSettings } from "./change-settings.ts";
import { listenTo } from "./listen-to.ts";

/** While the viewer seeks to a place of which nothing is there. */
const NOTHING_KEPT: MediaPlayerSettingClass = { streaming: { buffer: { bufferToKeep: 0 } } };

/**
 * Lets what was buffered go when the viewer seeks to a place of which nothing is there. dash.js keeps some of it. Once the
 * viewer goes back to that, it goes on fetching where it was, takes the playhead over all that lies between, or stands.
 *
 * @returns what ends it
 */
export function seekWithoutIslands(player: MediaPlayerClass): () => void {
  let restore: (() => void) | null = null;
  const end = () => {
    restore?.();
    restore = null;
  };
  const stop = listenTo(player, {
    playbackSeeking: ({ seekTime }: { seekTime: number }) => {
      end();
      const { buffered } = player.getVideoElement();
      if (secondsAhead({ buffered, currentTime: seekTime }) === 0) {
        restore = changeSettings(player, NOTHING_KEPT);
      }
    },
    playbackSeeked: end,
  });
  return () => {
    stop();
    end();
  };
}
