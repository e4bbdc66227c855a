/** What a page that plays with another player than dash.js says to the core and hears from it. */

import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import type { NuwaSessionOptions, SessionChoices } from "../options/session-options.ts";
import type { MediaPath } from "../session/media-path.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { SessionState } from "../session/session-state.ts";
import type { ByteRange } from "../session/wire/request-line.ts";

export interface NuwaCoreOptions extends NuwaSessionOptions {
  /** URL of the directory that the media server serves, absolute or of the page. */
  readonly baseUrl: string | URL;
}

/** A segment, whichever way it came. */
export interface SegmentAnswer {
  readonly url: string;
  /** 200, 206, or what went wrong. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ArrayBuffer;
  readonly cameBy: "webtransport" | "http";
}

export interface SegmentProgress {
  readonly loadedBytes: number;
  /** 0 while unknown. */
  readonly totalBytes: number;
}

export interface SegmentFetchInit {
  /** First and last byte, both inclusive. */
  readonly range?: ByteRange | undefined;
  /** 0 is sent first; by default in the order of asking, behind those that have one. */
  readonly priority?: number | undefined;
  /** Of requests over HTTP; over WebTransport there is no place for them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of requests over HTTP; `same-origin` by default, as `fetch` has it. */
  readonly credentials?: RequestCredentials | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Begins anew with every attempt. */
  readonly onProgress?: ((progress: SegmentProgress) => void) | undefined;
}

export interface NuwaCoreEvents {
  readonly path: MediaPath;
  /** About every 100 ms while a session is open. */
  readonly estimate: NetworkEstimate;
  readonly session: SessionState;
}

/** The receiver, its estimate and its downloads, for any player. */
export interface NuwaCore {
  path(): MediaPath;
  /** The receiver's newest; null before the first, and while segments come over HTTP, when it is stale. */
  estimate(): NetworkEstimate | null;
  /** How the session stands; null where none is opened. */
  session(): SessionState | null;
  /** Whether the media server serves this URL. */
  serves(url: string | URL): boolean;
  /**
   * A segment over WebTransport, or over HTTP while there is none; a URL that the media server does not serve comes over
   * HTTP. Rejects with the signal's reason; RequestFailed where the media server broke off twice; TypeError where nobody
   * answers over HTTP, and for headers that are none. Where `fallback` is false: RefusedSession, and an Error where the
   * browser has no WebTransport.
   */
  fetch(url: string | URL, init?: SegmentFetchInit): Promise<SegmentAnswer>;
  /**
   * Tells the receiver what the player needs, for presets that go by it (`film`): at least once in two seconds, or it has
   * all that the link has. Throws RangeError for what makes no sense.
   */
  tell(need: Need): void;
  /** Opens a session with other parameters. */
  change(choices: SessionChoices): void;
  /** Opens the session anew: the server's address has changed. */
  reconnect(): void;
  /** What it returns ends the listening. */
  on<T extends keyof NuwaCoreEvents>(type: T, listener: (event: NuwaCoreEvents[T]) => void): () => void;
  /** Ends the session, for good, and all events; what is open goes on over HTTP, whatever `fallback` says. */
  close(): void;
}
