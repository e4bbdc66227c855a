/** What a page that plays with dash.js says to the library and hears from it. */

import type { MediaPlayerClass } from "dashjs";
import type { CmcdOptions } from "../dash/cmcd-settings.ts";
import type { DecisionRecord, SegmentRecord, SwitchRecord } from "../dash/play-log.ts";
import type { MediaServerSource } from "../options/media-server-address.ts";
import type { RuleName } from "../options/names.ts";
import type { NuwaSessionOptions, SessionChoices } from "../options/session-options.ts";
import type { MediaPath } from "../session/media-path.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { SessionState } from "../session/session-state.ts";
import type { StampRecord } from "../session/stamp-record.ts";

/** Whose estimate dash.js's rules see. */
export type EstimatorName = "receiver" | "dashjs";

export interface NuwaOptions extends NuwaSessionOptions {
  /** null: there is none; segments come as dash.js fetches them, and only the rule is taken. */
  readonly server: MediaServerSource | null;
  /** URL of the directory that the media server serves, absolute or of the page; the manifest's by default. */
  readonly baseUrl?: string | URL | undefined;
  /** `nuwa` by default; null leaves the player's own rules alone. */
  readonly rule?: RuleName | null | undefined;
  /** `receiver` by default. */
  readonly estimator?: EstimatorName | undefined;
  /** Has dash.js report by CMCD; unset leaves that to the player's own settings. Taken with the next source. */
  readonly cmcd?: CmcdOptions | undefined;
  /**
   * Whether the film goes past a place that cannot be decoded; true by default. dash.js then takes it up again up to 50
   * times, and the second failure at one place seeks to the end of its segment.
   */
  readonly skipUndecodable?: boolean | undefined;
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
  /**
   * Throws where the player has an attachment already, and where the session is another player's. Once that is detached,
   * or the session closed, it opens a session anew.
   */
  attach(player: MediaPlayerClass): NuwaAttachment;
  /** Closes the session of one that is not attached. */
  close(): void;
}

export interface NuwaAttachment {
  path(): MediaPath;
  /** The receiver's newest; null before the first, and while segments come over HTTP, when it is stale. */
  estimate(): NetworkEstimate | null;
  /** How the session stands; null where none is opened. */
  session(): SessionState | null;
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
  change(choices: SessionChoices): void;
  /** Opens the session anew: the server's address has changed. */
  reconnect(): void;
  /** What it returns ends the listening. */
  on<T extends keyof NuwaEvents>(type: T, listener: (event: NuwaEvents[T]) => void): () => void;
  /** Takes all of it off, for good, and ends all events; the film plays on with dash.js alone. */
  detach(): void;
}
