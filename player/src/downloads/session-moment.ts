import type { MediaPath } from "../session/media-path.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";

/** As the video element counts them; 0 before the first frame. */
export interface ShownVideo {
  readonly widthPixels: number;
  readonly heightPixels: number;
  /** Since the player was made. */
  readonly frames: number;
  readonly droppedFrames: number;
}

/** What a session was like at a moment, as far as its rows tell it. */
export interface SessionMoment {
  /** ms of the epoch. */
  readonly atMs: number;
  /** null before the server's configuration was read. */
  readonly choices: {
    readonly scheme: string;
    readonly preset: string;
    readonly rule: string;
    readonly estimator: string;
  } | null;
  /** null where no film is played. */
  readonly video: ShownVideo | null;
  readonly estimate: NetworkEstimate | null;
  readonly dashjsBitsPerSecond: number | null;
  readonly playedBitsPerSecond: number | null;
  readonly bufferSeconds: number;
  readonly currentSeconds: number;
  readonly stallCount: number;
  readonly stalledMs: number;
  /** null before there is a player. */
  readonly path: MediaPath | null;
  /** null while nothing is emulated. */
  readonly link: { readonly name: string } | null;
}
