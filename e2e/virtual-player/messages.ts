/** What passes between this process and the network's, a line of JSON each. Times are ms since the page was opened. */

import type { Need } from "../../cc/receiver/receiver-scheme.ts";
import type { Qoe } from "../../player/src/qoe/linear-qoe.ts";
import type { RuleName } from "../../player/src/rules/registry.ts";
import type { FilmTrack } from "./film.ts";
import type { NuwaConstants } from "./nuwa-constants.ts";

export interface OpenMessage {
  /** Of the film. */
  readonly folder: string;
  readonly rule: RuleName;
  readonly estimator: "receiver" | "dashjs";
  /** The session's handshake. */
  readonly sessionOpensAtMs: number;
  /** Those that are not as chosen. */
  readonly nuwaConstants: Partial<NuwaConstants>;
  /** Of the viewer, by time: so long after the first frame. */
  readonly seeks: readonly { readonly afterSeconds: number; readonly toSeconds: number }[];
}

/** What the receiver knows at a time; null where it knows nothing. */
export interface EstimateMessage {
  readonly atMs: number;
  readonly bandwidthBitsPerSecond: number | null;
  readonly deliveredBitsPerSecond: number;
  readonly queueingDelaySeconds: number;
  readonly targetDelaySeconds: number | null;
  readonly wantedBitsPerSecond: number | null;
  readonly isHeld: boolean;
  readonly windowBytes: number | null;
  readonly smoothedRttSeconds: number | null;
  readonly k: number | null;
}

export interface ArrivalMessage {
  readonly id: number;
  readonly loadedBytes: number;
  readonly atMs: number;
}

export interface StepMessage {
  readonly untilMs: number;
  /** Stop where something is asked for: the network has nothing else to do. */
  readonly stopsAtWish: boolean;
  readonly arrivals: readonly ArrivalMessage[];
  readonly estimates: readonly EstimateMessage[];
}

export interface StepAnswer {
  readonly atMs: number;
  readonly requests: readonly { readonly id: number; readonly bytes: number; readonly atMs: number }[];
  readonly cancels: readonly { readonly id: number; readonly atMs: number }[];
  /** The newest that the player told; null where it told none. */
  readonly need: Need | null;
  /** The film has ended, or cannot go on. */
  readonly isOver: boolean;
}

export interface PlayedFilm {
  readonly error: string | null;
  /** To the first frame; null where none came. */
  readonly startupMs: number | null;
  readonly positionSeconds: number;
  readonly hasEnded: boolean;
  readonly waits: readonly { readonly startedAtMs: number; readonly durationMs: number }[];
  /** Of the viewer, and jumps of dash.js over holes that they left in its buffer. */
  readonly seeks: readonly {
    readonly startedAtMs: number;
    /** To the picture, to the next seek, or to the end of it all. */
    readonly durationMs: number;
    readonly hasPicture: boolean;
    readonly fromSeconds: number;
    readonly toSeconds: number;
    readonly byViewer: boolean;
  }[];
  /** null where nothing was played. */
  readonly qoe: Qoe | null;
  /** Of video: those that the playhead entered, in the order in which they were seen, as they were seen. */
  readonly segments: readonly {
    readonly index: number;
    readonly bitsPerSecond: number;
    readonly bytes: number;
    readonly requestedAtMs: number;
    readonly endedAtMs: number;
    /** How many of `seeks` there were before it was entered. */
    readonly seeksBefore: number;
  }[];
  readonly switches: readonly {
    readonly atMs: number;
    readonly toBitsPerSecond: number;
    readonly decidedBy: string;
  }[];
  /** About one a second. */
  readonly samples: readonly SampleMessage[];
}

/** How the film stood at a time. */
export interface SampleMessage {
  readonly atMs: number;
  readonly positionSeconds: number;
  /** Of what may be played from here on. */
  readonly bufferSeconds: number;
  /** What the session told last, and what dash.js makes of its downloads; null where one knows nothing. */
  readonly bandwidthBitsPerSecond: number | null;
  readonly dashjsBitsPerSecond: number | null;
}

/** What a command must know before anything starts. */
export interface AboutMessage {
  readonly rules: readonly string[];
  /** In the order in which they were asked for. */
  readonly films: readonly FilmMessage[];
  /** Where fetching stops below the top rung. */
  readonly bufferSeconds: number;
  /** Of a second of rebuffering, in QoE_lin. */
  readonly rebufferPenalty: number;
  readonly nuwaConstants: NuwaConstants;
  /** Of what plays, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

export interface FilmMessage {
  readonly seconds: number;
  /** Where fetching stops in its top rung. */
  readonly topBufferSeconds: number;
  /** Of video, ascending. */
  readonly rungs: readonly RungMessage[];
  /** Of pictures and sound. */
  readonly tracks: readonly FilmTrack[];
  /** A sentence; null for a film that can be played. */
  readonly problem: string | null;
}

export interface RungMessage {
  readonly bitsPerSecond: number;
  readonly segmentBytes: readonly number[];
  readonly segmentEndsSeconds: readonly number[];
}
