/** What a page that plays with dash.js says to the library and hears from it. */

import type { MediaPlayerClass } from "dashjs";
import type { CmcdOptions } from "../dash/cmcd-settings.ts";
import type { DecisionRecord, SegmentRecord, SwitchRecord } from "../dash/play-log.ts";
import type { MediaPath } from "../session/media-path.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { PolicySource } from "../session/policy/policy-files.ts";
import type { SessionState } from "../session/session-state.ts";
import type { StampRecord } from "../session/stamp-record.ts";
import type { PresetName, RuleName, SchemeName } from "./names.ts";

/** Where the media server listens now. */
export interface MediaServerAddress {
  /** `https://HOST:PORT`. */
  readonly url: string;
  /** base64 of the SHA-256 of each DER certificate that is valid now. */
  readonly certificateHashes: readonly string[];
  /** The server is behind an emulated link, which HTTP would go around: then an outage is waited for. */
  readonly isEmulated?: boolean;
  /** What opens a session at a server with `--session-key`; asked for anew before every session. */
  readonly sessionToken?: string;
  /** All processes of a server that runs in several, this one among them; the library takes one with few sessions. */
  readonly workers?: readonly MediaServerWorker[];
}

/** One process of a media server. */
export interface MediaServerWorker {
  readonly url: string;
  readonly certificateHashes: readonly string[];
  /** How many are open there; where one does not say it, `url` beside the list is taken. */
  readonly sessions?: number;
}

/** Numbers instead of a preset's name; those outside their ranges are refused with a RangeError. */
export interface ControlNumbers {
  /** 1 to 10,000. */
  readonly targetDelayMs: number;
  /** 1 to 10,000. */
  readonly rhoMs: number;
  /** Aggressiveness, 1 to 9. */
  readonly k: number;
  /** Whether the window follows a link that has changed in proportion to itself, not by k packets; false by default. */
  readonly catchesUp?: boolean;
  /** Whether the player's buffer bounds the window: with a full one to little more than it plays; false by default. */
  readonly followsNeed?: boolean;
  /**
   * Whether Nuwa's window moves by its paper's equations alone, with a constant target; false by default. Not beside
   * catchesUp or followsNeed.
   */
  readonly asInPaper?: boolean;
}

/** Whose estimate dash.js's rules see. */
export type EstimatorName = "receiver" | "dashjs";

export interface NuwaOptions {
  /**
   * Asked before every session: URL of a JSON document `{ url, certificateHashes }`, or of several that are taken
   * together, the address itself, or what gives it; its signal is aborted when the answer would come too late. The
   * answer null: the media server is away now.
   * The option null: there is none; segments come as dash.js fetches them, and only the rule is taken.
   */
  readonly server:
    | string
    | readonly string[]
    | MediaServerAddress
    | ((signal: AbortSignal) => Promise<MediaServerAddress | null>)
    | null;
  /** URL of the directory that the media server serves, absolute or of the page; the manifest's by default. */
  readonly baseUrl?: string;
  /** `nuwa` by default. */
  readonly scheme?: SchemeName;
  /** A preset's name, or its numbers; `on-demand` by default. */
  readonly preset?: PresetName | ControlNumbers;
  /** `nuwa` by default; null leaves the player's own rules alone. */
  readonly rule?: RuleName | null;
  /** `nuwa` by default. */
  readonly estimator?: EstimatorName;
  /** Whether segments come over HTTP while no session is open; true by default. Else they fail in a browser without WebTransport. */
  readonly fallback?: boolean;
  /** Has dash.js report by CMCD; unset leaves that to the player's own settings. Taken with the next source. */
  readonly cmcd?: CmcdOptions;
  /** Where the policies of learned schemes are; without it they run their heuristic. */
  readonly policies?: PolicySource;
  /**
   * Starts the receiver's worker, for pages whose content security policy refuses workers of `blob:`; the package's
   * `nuwa-stream-player/worker` is its code.
   */
  readonly createWorker?: () => Worker;
}

/** What happened so far, under every session of this attachment; the oldest of very many is forgotten. */
export interface NuwaRecords {
  readonly stamps: StampRecord[];
  readonly switches: SwitchRecord[];
  readonly segments: SegmentRecord[];
}

export interface NuwaEvents {
  readonly path: MediaPath;
  /** About every 100 ms while a session is open. */
  readonly estimate: NetworkEstimate;
  readonly session: SessionState;
  readonly switch: SwitchRecord;
  readonly segment: SegmentRecord;
}

/** A session that is being opened while the player is still on its way. */
export interface PreparedNuwa {
  /** Throws where the player has an attachment already. */
  attach(player: MediaPlayerClass): NuwaAttachment;
  /** Closes the session of one that is not attached. */
  close(): void;
}

export interface NuwaAttachment {
  path(): MediaPath;
  /** The receiver's newest; null before the first, and while segments come over HTTP, when it is stale. */
  estimate(): NetworkEstimate | null;
  /** dash.js's own estimate for video; null before its first sample. */
  dashjsBitsPerSecond(): number | null;
  records(): NuwaRecords;
  /** null before the first representation. */
  lastSwitch(): SwitchRecord | null;
  /** What the rules decided for video last, if only to stay; null before the first. */
  lastDecision(): DecisionRecord | null;
  /** The video segment last fetched for a place on the timeline; null where there is none. */
  segmentAt(seconds: number): SegmentRecord | null;
  /** Opens a session with other parameters; the film goes on in the same player. */
  change(choices: Pick<NuwaOptions, "scheme" | "preset">): void;
  /** Opens the session anew: the server's address has changed. */
  reconnect(): void;
  /** What it returns ends the listening. */
  on<T extends keyof NuwaEvents>(type: T, listener: (event: NuwaEvents[T]) => void): () => void;
  /** Takes all of it off, for good, and ends all events; the film plays on with dash.js alone. */
  detach(): void;
}
