/** Where the media server listens now. */
export interface MediaServerAddress<Url extends string | URL = string> {
  /** `https://HOST:PORT`. */
  readonly url: Url;
  /** base64 of the SHA-256 of each DER certificate that is valid now. */
  readonly certificateHashes: readonly string[];
  /** When the newest certificate expires (ISO 8601): later nothing is opened by its hash, and the path's reason says so. */
  readonly certificateNotAfter?: string | undefined;
  /** The server is behind an emulated link, which HTTP would go around: then an outage is waited for. */
  readonly isEmulated?: boolean | undefined;
  /** What opens a session at a server with `--session-key`; asked for anew before every session. */
  readonly sessionToken?: string | undefined;
  /** All processes of a server that runs in several, this one among them; the library takes one with few sessions. */
  readonly workers?: readonly MediaServerWorker<Url>[] | undefined;
}

/** One process of a media server. */
export interface MediaServerWorker<Url extends string | URL = string> {
  readonly url: Url;
  readonly certificateHashes: readonly string[];
  readonly certificateNotAfter?: string | undefined;
  /** How many are open there; where one does not say it, `url` beside the list is taken. */
  readonly sessions?: number | undefined;
}

/**
 * Asked before every session: URL of a JSON document `{ url, certificateHashes }`, or of several that are taken
 * together, the address itself, or what gives it; its signal is aborted when the answer would come too late. The
 * answer null: the media server is away now.
 */
export type MediaServerSource =
  | string
  | URL
  | readonly (string | URL)[]
  | MediaServerAddress<string | URL>
  | ((signal: AbortSignal) => Promise<MediaServerAddress<string | URL> | null>);
