import type { PageQuery } from "../../../player/src/page/query/parameters.ts";
import type { BrowserKind } from "../browsers/program.ts";
import type { Chance } from "./chance.ts";
import { FAILED_SESSION } from "./console-problems.ts";
import type { Rig, WatchedPage } from "./rig.ts";

/** `the page`: it stands still and shows nothing. `the network`: nothing reaches it, and it lives on its buffer. */
export type Withheld = "the page" | "the network";

/** Something that goes wrong while a film plays, or before it begins. One file each in faults/, and a line in its registry. */
export interface Fault {
  readonly name: string;
  /** For tables: what goes wrong. */
  readonly title: string;
  /** Played by `npm run bench -- faults` alone: it takes minutes, or differs little from one that the tests play. */
  readonly isByCommand?: boolean;
  /** Browsers that the tests play it in; Chromium alone if unset. */
  readonly browsers?: readonly BrowserKind[];
  /** The only system on which it can be made; unset for one that can be made everywhere. */
  readonly needs?: NodeJS.Platform;
  /** As after `npm start --`. */
  readonly serverArgs?: readonly string[];
  /** Environment of the server's processes, beside the usual one. */
  readonly serverEnvironment?: Readonly<Record<string, string>>;
  /** The page's query, beside what every fault has. */
  readonly query?: PageQuery;
  /** Whether the browser reaches the transport without the path between them, which swallows what the system would tell it. */
  readonly isUdpDirect?: boolean;
  /** Before the server starts: changes a copy of the film, whose files are links. */
  readonly prepareFilm?: (directory: string, chance: Chance) => Promise<void>;
  /** Before the page is asked for: faults that are there from the start. */
  readonly prepare?: (rig: Rig) => Promise<void> | void;
  /** The same, with the page still blank, and the origin that it is about to open. */
  readonly prepareBlankPage?: (page: WatchedPage["page"], origin: string) => Promise<void>;
  /** What goes wrong while the film plays; unset for a fault that is there from the start. */
  readonly strike?: (rig: Rig, watched: WatchedPage) => Promise<void> | void;
  /** How long it lasts, drawn from this range; unset for one that lasts. */
  readonly lastsSeconds?: readonly [least: number, most: number];
  /** Ends it. */
  readonly heal?: (rig: Rig, watched: WatchedPage) => Promise<void> | void;
  /** What nobody can have while it lasts; times then count from its end. */
  readonly withholds?: Withheld;
  /** How long the film is watched after the fault has ended, or has begun if it lasts. */
  readonly watchSeconds: number;
  readonly expected: Expected;
}

/** What must become of the film. Times are what a quiet machine has to reach; what is unset is not looked at. */
export interface Expected {
  /** At most: how long the film stands still beyond what the fault withholds. */
  readonly stalledSeconds: number;
  /** At most: until bytes flow again. */
  readonly bytesAfterSeconds?: number;
  /** At most: from asking for the page to its first frame. */
  readonly firstFrameSeconds?: number;
  /** How the media comes at the end. */
  readonly endPath: "webtransport" | "http";
  /** All ways that it came since the fault. */
  readonly paths?: readonly string[];
  /** Whether segments came over HTTP since the fault. */
  readonly httpSegments?: "some" | "none";
  /** What the page says in its notice. */
  readonly notice?: RegExp;
  /** The only errors that the console may show: those the browser itself must write about the fault. */
  readonly consoleProblems: readonly RegExp[];
}

/** The film lives on its buffer until bytes flow again. */
export const GOES_ON: Expected = {
  stalledSeconds: 0,
  bytesAfterSeconds: 3,
  endPath: "webtransport",
  consoleProblems: [],
};

/** The session lives on, too. */
export const UNTOUCHED: Expected = { ...GOES_ON, paths: ["webtransport"], httpSegments: "none" };

/** The film goes on without the transport. */
export const GOES_ON_OVER_HTTP: Expected = {
  ...GOES_ON,
  endPath: "http",
  httpSegments: "some",
  consoleProblems: [FAILED_SESSION],
};

/** What is there from the start keeps nothing up. */
export const BEGINS: Expected = {
  stalledSeconds: 0,
  firstFrameSeconds: 4,
  endPath: "webtransport",
  consoleProblems: [],
};

/** The film begins without the transport. */
export const BEGINS_OVER_HTTP: Expected = {
  ...BEGINS,
  endPath: "http",
  httpSegments: "some",
  consoleProblems: [FAILED_SESSION],
};
