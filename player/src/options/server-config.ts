/** What `GET /api/config` answers: the server tells it, pages go by it. */

import type { MediaServerAddress, MediaServerWorker } from "./media-server-address.ts";
import type { PresetName, RuleName, SchemeName } from "./names.ts";

export interface NamedEntry<Name extends string = string> {
  readonly name: Name;
  readonly title: string;
  readonly summary: string;
}

export interface SchemeEntry extends NamedEntry<SchemeName> {
  /** Who works out the window. */
  readonly control: "receiver" | "sender";
  /** By what it judges the network; a heading of the menu. */
  readonly family: string;
  /** The learned policy that it asks, whichever side runs it; null for a scheme that asks none. */
  readonly policy: string | null;
  /** Of a preset's numbers those that its receiver goes by; none of a scheme that leaves all aside. */
  readonly reads: readonly PresetNumber[];
}

export type PresetNumber = "target_delay_ms" | "rho_ms" | "k" | "catches_up" | "follows_need" | "as_in_paper";

/** A receiver's target delay and how eagerly it is pursued. */
export interface PresetEntry extends NamedEntry<PresetName> {
  readonly target_delay_ms: number;
  readonly rho_ms: number;
  readonly k: number;
  /** Whether the window follows a link that has changed in proportion to itself. */
  readonly catches_up: boolean;
  readonly follows_need: boolean;
  /** Whether the window moves by the paper's equations alone. */
  readonly as_in_paper: boolean;
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface LinkLimits {
  /** Each way. */
  readonly delayMs: Range;
  readonly queuePackets: Range;
  /** A ratio. */
  readonly loss: Range;
}

/** An emulated link as it is now. */
export interface LinkState {
  readonly name: string;
  readonly title: string;
  /** Each way. */
  readonly delayMs: number;
  /** null without a limit. */
  readonly queuePackets: number | null;
  readonly queueBytes: number | null;
  readonly lossRatio: number;
  /** ms of the epoch at which the capacity began. */
  readonly startedAtMs: number;
  /** null where nothing limits the rate. */
  readonly capacity: LinkCapacity | null;
}

/** What a link carries over time. */
export interface LinkCapacity {
  readonly binMs: number;
  /** After this it begins again. */
  readonly periodMs: number;
  readonly bitsPerSecond: readonly number[];
}

export interface FilmEntry {
  /** In the query: `film=NAME`. */
  readonly name: string;
  readonly title: string;
  readonly manifestUrl: string;
  /** null for one that goes on. */
  readonly durationSeconds: number | null;
  /** Whether it plays from another server, over HTTP. */
  readonly isElsewhere: boolean;
  /** Whether a segment has to be asked for by HEAD before the media server has it. */
  readonly isPrepared: boolean;
  /** Whether a viewer added it, so that it can be removed. */
  readonly isAdded: boolean;
}

/** Where a page opens its sessions: that of the first lane, or of the worker with the fewest of them. */
export interface SessionAddress extends Omit<MediaServerAddress, "isEmulated" | "certificateNotAfter"> {
  /** Two ways of the same emulated link, each with a queue of its own; without a link both are `url`. */
  readonly laneUrls: readonly [string, string];
  /** Every address that sessions may be at: one that is missing here is gone. */
  readonly workers: readonly MediaServerWorker[];
}

export interface ServerConfig {
  readonly protocolVersion: number;
  /** null while the media server is not up. */
  readonly transport: SessionAddress | null;
  /** null while nothing is emulated. */
  readonly link: LinkState | null;
  /** What can be emulated; the first is none. */
  readonly links: readonly NamedEntry[];
  /** What may be asked of a link. */
  readonly linkLimits: LinkLimits;
  /** Whether all pages that are open have one link together; each has its own otherwise. */
  readonly isLinkShared: boolean;
  /** Those that visitors may choose. */
  readonly schemes: readonly SchemeEntry[];
  /** Films may have been watched under them. */
  readonly schemesNotOffered: readonly Pick<SchemeEntry, "name" | "title">[];
  readonly presets: readonly PresetEntry[];
  readonly rules: readonly NamedEntry<RuleName>[];
  /** What a page begins with. */
  readonly defaults: { readonly scheme: SchemeName; readonly preset: PresetName; readonly rule: RuleName };
  /** The one that plays where none is asked for; null where there is none. */
  readonly film: FilmEntry | null;
  /** In the order of the menu. */
  readonly films: readonly FilmEntry[];
  /** Whether this page may have another link emulated. */
  readonly mayChangeLink: boolean;
  /** Whether this page may add one, and remove what was added. */
  readonly takesFilms: boolean;
  /** Whether this page's reports are kept: not while another server has the store. */
  readonly takesTelemetry: boolean;
  /** Takes reports by CMCD of everything that plays; null where nobody does. */
  readonly cmcdCollector: string | null;
}

/** As a page has it that plays a film. */
export interface FilmConfig extends ServerConfig {
  readonly film: FilmEntry;
}

type Kind = "boolean" | "list" | "number" | "object" | "object or null" | "text or null";

const KINDS: { readonly [Field in keyof ServerConfig]: Kind } = {
  protocolVersion: "number",
  transport: "object or null",
  link: "object or null",
  links: "list",
  linkLimits: "object",
  isLinkShared: "boolean",
  schemes: "list",
  schemesNotOffered: "list",
  presets: "list",
  rules: "list",
  defaults: "object",
  film: "object or null",
  films: "list",
  mayChangeLink: "boolean",
  takesFilms: "boolean",
  takesTelemetry: "boolean",
  cmcdCollector: "text or null",
};

/** The first field that an answer lacks, or has of another kind, as "schemes is to be a list"; null where it has all. */
export function configProblem(answer: unknown): string | null {
  const fields = Object(answer) as Readonly<Record<string, unknown>>;
  for (const [field, kind] of Object.entries(KINDS)) {
    if (!isOf(kind, fields[field])) return `${field} is to be ${kind === "object" ? "an" : "a"} ${kind}`;
  }
  return null;
}

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case "boolean":
    case "number":
      return typeof value === kind;
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null;
    case "object or null":
      return typeof value === "object";
    case "text or null":
      return value === null || typeof value === "string";
  }
}
