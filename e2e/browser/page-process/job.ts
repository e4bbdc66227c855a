import type { AppConfig } from "../../../server/config.ts";
import type { FilmShelf } from "../../../server/films/film-shelf.ts";
import type { BrowserProgram } from "../browsers/program.ts";

/** What the page process reads on its stdin: first a job, then, once it serves the page, the transport. */
export interface Job {
  program: BrowserProgram;
  app: Pick<AppConfig, "playerDirectory" | "policyDirectory" | "registry" | "defaults"> & {
    readonly presentation: Parameters<typeof FilmShelf.ofOne>[0];
  };
  /** Path and query of the page, such as `/?scheme=nuwa&autoplay=1`. */
  page: string;
  /** ms of the epoch; the page is loaded before, and asks for its session then at the earliest. null: at once. */
  openAtMs: number | null;
  work: FilmWork | BulkWork;
  /** Where to put the page's data (JSON) and its picture (PNG). */
  resultFile: string;
  screenshotFile: string;
}

export interface FilmWork {
  kind: "film";
  /** How long to watch after the first frame. */
  watchSeconds: number;
  stopsAtEnd: boolean;
  /** Jumps on the film's own clock, in order. */
  seeks: readonly { afterSeconds: number; toSeconds: number }[];
  /** Give up if no frame was shown by then. */
  startLimitSeconds: number;
}

export interface BulkWork {
  kind: "bulk";
  limitSeconds: number;
}

export interface TransportAddress {
  host: string;
  port: number;
  certificateHashes: string[];
}

/** What the page process says on its stdout, one JSON line each. */
export type Notice =
  | { event: "listening"; port: number }
  | { event: "browser"; pid: number }
  | { event: "done" };

/** The content of a job's result file. */
export interface JobResult {
  browserVersion: string;
  /** Uncaught errors and console errors of the page. Anything here fails the run. */
  problems: string[];
  /** ms of the epoch; the page was asked for or, where it had to wait, could go on to its session. */
  openedAtMs: number;
  page: PageData;
}

export type PageData = FilmData | BulkData;

export interface FilmData {
  kind: "film";
  playback: Playback;
  records: PageRecords;
  snapshot: unknown;
}

export interface BulkData {
  kind: "bulk";
  download: Download;
  records: Pick<PageRecords, "stamps" | "estimates">;
}

/** Measured by e2e itself on the page's video element, whatever the player says. Times in ms of the epoch. */
export interface Playback {
  /** The page was asked for; where it had to wait for its time, the end of that. */
  navigatedAtMs: number;
  firstFrameAtMs: number | null;
  samples: PlaybackSample[];
}

export interface PlaybackSample {
  atMs: number;
  mediaSeconds: number;
  bufferSeconds: number;
  videoHeight: number;
  isEnded: boolean;
}

export interface Download {
  bytes: number;
  startedAtMs: number;
  firstByteAtMs: number;
  endedAtMs: number;
  megabitsPerSecond: number;
}

/** `globalThis.nuwaStream.records()` of the page (player/src/README.md). */
export interface PageRecords {
  stamps: StampRecord[];
  estimates: EstimateRecord[];
  switches: SwitchRecord[];
  stalls: StallRecord[];
  segments: SegmentRecord[];
}

export interface StampRecord {
  receivedAtMs: number;
  /** The page's computer was late: the stamp may have come so much earlier. */
  lateMs: number;
  sequence: number;
  epoch: number;
  phase: number;
  sendTimeUs: number;
  bytesSent: number;
  packetsSent: number;
  smoothedRttMs: number | null;
  cwndBytes: number;
  /** Against the smallest delay seen, as measured. */
  oneWayQueueingDelayMs: number;
  /** After the receiver's filter. */
  queueingDelayMs: number;
  windowBytes: number;
  endSlowStart: boolean;
  bandwidthBitsPerSecond: number | null;
  k: number | null;
}

export interface EstimateRecord {
  atMs: number;
  receiverBitsPerSecond: number | null;
  dashjsBitsPerSecond: number | null;
  deliveredBitsPerSecond: number;
  bufferSeconds: number;
  queueingDelayMs: number;
  /** How late the receiver's thread woke at most in the second before. */
  hostLateMs: number;
}

export interface SwitchRecord {
  atMs: number;
  fromBitsPerSecond: number | null;
  toBitsPerSecond: number;
  rule: string;
  reason: Readonly<Record<string, string | number | boolean | null>> | null;
}

/** A segment that was downloaded. */
export interface SegmentRecord {
  mediaType: string;
  index: number;
  startSeconds: number;
  durationSeconds: number;
  bitsPerSecond: number;
  bytes: number;
  requestedAtMs: number;
  endedAtMs: number;
}

export interface StallRecord {
  startedAtMs: number;
  durationMs: number;
}
