import type { MediaPlayerClass, MediaPlayerSettingClass } from "dashjs";
import type { FragmentRequest } from "./dashjs-internals.ts";
import { listenTo } from "./listen-to.ts";
import { appendBounded } from "./play-log.ts";

/** HTMLMediaElement's error 3: the bytes came, and the decoder cannot read them. */
const MEDIA_ERR_DECODE = 3;
/** Two errors this near have one cause. */
const NEAR_SECONDS = 1;
/** Decoders fail some frames ahead of the playhead. */
const DECODED_AHEAD_SECONDS = 0.25;
/** Segments of the last minute or two: the damaged one is near the playhead. */
const KNOWN_SEGMENTS = 128;

/** dash.js takes up the film anew so often; then it ends it. Each damaged segment takes two. */
export const DECODE_SETTINGS: MediaPlayerSettingClass = {
  errors: { recoverAttempts: { mediaErrorDecode: 50 } },
};

type SkippingPlayer = Pick<MediaPlayerClass, "off" | "on" | "seek">;
type Segment = Pick<FragmentRequest, "startTime" | "duration">;

/**
 * Takes the film past a place that cannot be decoded. dash.js goes on where the decoder failed: right where the decoder
 * was at fault, in vain where the segment is damaged. The second failure at one place skips the rest of its segment.
 *
 * @returns what ends it
 */
export function skipUndecodable(player: SkippingPlayer): () => void {
  const segments: Segment[] = [];
  let playheadSeconds = 0;
  let failedAtSeconds: number | null = null;
  let targetSeconds: number | null = null;

  return listenTo(player, {
    fragmentLoadingCompleted: ({ request }: { request: FragmentRequest }) => {
      if (request.type === "MediaSegment") {
        appendBounded(segments, request, KNOWN_SEGMENTS);
      }
    },
    // The element's own place is gone by the time that all others have handled its error.
    playbackTimeUpdated: ({ time }: { time: number | null }) => {
      playheadSeconds = time ?? playheadSeconds;
    },
    playbackError: ({ error }: { error: MediaError | null }) => {
      if (error?.code !== MEDIA_ERR_DECODE) {
        return;
      }
      const isAgain = failedAtSeconds !== null && Math.abs(playheadSeconds - failedAtSeconds) < NEAR_SECONDS;
      targetSeconds = isAgain ? endOfSegmentAt(segments, playheadSeconds + DECODED_AHEAD_SECONDS) : null;
      failedAtSeconds = targetSeconds ?? playheadSeconds;
    },
    playbackMetaDataLoaded: () => {
      if (targetSeconds !== null) {
        const seconds = targetSeconds;
        targetSeconds = null;
        console.warn(`MEDIA_ERR_DECODE twice at one place: the film goes on at ${seconds.toFixed(1)} s`);
        player.seek(seconds);
      }
    },
  });
}

/** The latest end of what was fetched for a place on the timeline; null where nothing was. */
function endOfSegmentAt(segments: readonly Segment[], seconds: number): number | null {
  const ends = segments
    .filter(({ startTime, duration }) => startTime <= seconds && seconds < startTime + duration)
    .map(({ startTime, duration }) => startTime + duration);
  return ends.length === 0 ? null : Math.max(...ends);
}
