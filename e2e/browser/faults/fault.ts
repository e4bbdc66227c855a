import type { Rig, WatchedPage } from "./rig.ts";

/** `the page`: it stands still and shows nothing. `the network`: nothing reaches it, and it lives on its buffer. */
export type Withheld = "the page" | "the network";

/** Something that goes wrong while a film plays, or before it begins. One file each, and a line in registry.ts. */
export interface Fault {
  readonly name: string;
  /** For tables: what goes wrong. */
  readonly title: string;
  /** The page's query, beside what every fault has. */
  readonly query?: Readonly<Record<string, string>>;
  /** Whether the browser reaches the transport without the path between them, which swallows what the system would tell it. */
  readonly isUdpDirect?: boolean;
  /** Before the page is asked for: faults that are there from the start. */
  readonly prepare?: (rig: Rig) => Promise<void> | void;
  /** The same, with the page still blank. */
  readonly prepareBlankPage?: (page: WatchedPage["page"]) => Promise<void>;
  /** What goes wrong while the film plays; unset for a fault that is there from the start. */
  readonly strike?: (rig: Rig, watched: WatchedPage) => Promise<void> | void;
  /** How long it lasts; unset for one that lasts. */
  readonly lastsSeconds?: number;
  /** Ends it. */
  readonly heal?: (rig: Rig, watched: WatchedPage) => Promise<void> | void;
  /** What nobody can have while it lasts; times then count from its end. */
  readonly withholds?: Withheld;
  /** How long the film is watched after the fault began. */
  readonly watchSeconds: number;
  /** What the browser itself writes on the console about it. */
  readonly expectedProblems: readonly RegExp[];
}
