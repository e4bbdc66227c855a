import type { PresetName, RuleName, SchemeName } from "../../../player/src/options/names.ts";
import { LINK_DEFAULTS } from "../../../server/link/link-limits.ts";
import type { BrowserKind } from "../browsers/program.ts";
import type { PlayedFilm } from "./presentation.ts";

/** One cell of an experiment: one scheme, rule and estimator over one link, once. */
export interface CellParameters {
  /** Short, for the bundle's directory. */
  name: string;
  browser: BrowserKind;
  scheme: SchemeName;
  preset: PresetName;
  rule: RuleName;
  /** Whose estimate of the network the page's adaptation uses. */
  estimator: "receiver" | "dashjs";
  /** The receiver's own parameters, where they differ from the preset's. */
  k: number | null;
  targetDelayMs: number | null;
  /** null: loopback without an emulated link. */
  link: EmulatedLink | null;
  /**
   * The page, loaded before, may ask for its session so long after the link's time began, however long browser and page took to
   * start: runs to be compared meet the same stretch of the trace. null: as soon as it can.
   */
  openAtLinkSeconds: number | null;
  workload: Workload;
  /** The bundle's directory; null makes one under .build/e2e. */
  outputDirectory: string | null;
  /** What serves the media; the benchmarks put other servers in its place. */
  mediaServer: MediaServerCommand;
  /** Another clone, whose media server and built player are used; null for this one's. */
  clone: string | null;
  /** Reads twice a second what the browser's threads use, for `metrics.pageCost`. Linux only. */
  readsBrowserTimes: boolean;
}

export interface EmulatedLink {
  /** Name of a recorded trace, a file, or a rate such as `24mbit`. */
  trace: string;
  /** Each way. */
  delayMs: number;
  /** The downlink's droptail queue. */
  queuePackets: number;
  /** Share of downlink packets lost at random behind the queue. */
  lossRatio: number;
  /** Of the relay's random losses; mahimahi's cannot be repeated. */
  seed?: number;
  /** What emulates it: mahimahi, unless said otherwise, or the relay of `transport/`, which needs neither root nor Linux. */
  via?: "mahimahi" | "relay";
}

export type Workload = FilmWorkload | BulkWorkload;

export interface FilmWorkload {
  kind: "film";
  source: PlayedFilm | PackagedSource;
  /** Counted from the first frame. */
  watchSeconds: number;
  /** Whether the film's end ends it before. */
  stopsAtEnd?: boolean;
  seeks: readonly { afterSeconds: number; toSeconds: number }[];
}

/** A film that was packaged before: the folder of its manifest. */
export interface PackagedSource {
  kind: "packaged";
  directory: string;
}

export interface BulkWorkload {
  kind: "bulk";
  bytes: number;
}

/** Arguments of the clone's Python, to which the directory, the host and the page's origin are added. */
export type MediaServerCommand = readonly string[];

export const OUR_MEDIA_SERVER: MediaServerCommand = ["-m", "transport", "serve", "--workers", "1"];

export const DEFAULTS: CellParameters = {
  name: "cell",
  browser: "chromium",
  scheme: "nuwa",
  preset: "on-demand",
  rule: "nuwa",
  estimator: "receiver",
  k: null,
  targetDelayMs: null,
  link: { trace: "24mbit", ...LINK_DEFAULTS },
  openAtLinkSeconds: null,
  workload: { kind: "film", source: { kind: "demo" }, watchSeconds: 60, seeks: [] },
  outputDirectory: null,
  mediaServer: OUR_MEDIA_SERVER,
  clone: null,
  readsBrowserTimes: false,
};
