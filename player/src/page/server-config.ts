import type { MediaServerAddress, MediaServerWorker } from "../options/media-server-address.ts";
import type { PresetName, SchemeName } from "../options/names.ts";
import type { RuleName } from "../rules/registry.ts";
import type { OpenOptions } from "../session/messages.ts";
import { PROTOCOL_VERSION } from "../session/session-url.ts";

export interface SchemeEntry {
  readonly name: SchemeName;
  readonly title: string;
  readonly control: "receiver" | "sender";
  /** By what it judges the network; a heading of the menu. */
  readonly family: string;
  readonly summary: string;
  /** The learned policy that it asks, whichever side runs it; null for a scheme that asks none. */
  readonly policy: string | null;
  /** Of a preset's numbers those that its receiver goes by; none of a scheme that leaves all aside. */
  readonly reads: readonly PresetNumber[];
}

export type PresetNumber = "target_delay_ms" | "rho_ms" | "k" | "catches_up" | "follows_need" | "as_in_paper";

export interface PresetEntry {
  readonly name: PresetName;
  readonly title: string;
  readonly target_delay_ms: number;
  readonly rho_ms: number;
  readonly k: number;
  /** Whether the window follows a link that has changed in proportion to itself. */
  readonly catches_up: boolean;
  readonly follows_need: boolean;
  /** Whether the window moves by the paper's equations alone. */
  readonly as_in_paper: boolean;
  readonly summary: string;
}

export interface NamedEntry {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
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
  readonly capacity: {
    readonly binMs: number;
    /** After this it begins again. */
    readonly periodMs: number;
    readonly bitsPerSecond: readonly number[];
  } | null;
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
}

/** What `GET /api/config` answers. */
export interface ServerConfig {
  readonly protocolVersion: number;
  /** null while the media server is not up. */
  readonly transport: {
    readonly url: string;
    readonly certificateHashes: readonly string[];
    /** Two ways of the same emulated link, each with a queue of its own; without a link both are `url`. */
    readonly laneUrls: readonly [string, string];
    /** Opens sessions there; absent where everybody may. */
    readonly sessionToken?: string;
    /** Every address that sessions may be at. */
    readonly workers: readonly MediaServerWorker[];
  } | null;
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
  readonly schemesNotOffered: readonly { readonly name: string; readonly title: string }[];
  readonly presets: readonly PresetEntry[];
  readonly rules: readonly NamedEntry[];
  readonly defaults: { readonly scheme: SchemeName; readonly preset: PresetName; readonly rule: RuleName };
  /** The one that plays. */
  readonly film: FilmEntry;
  /** Whether this page may have another link emulated. */
  readonly mayChangeLink: boolean;
  /** Whether this page may add one. */
  readonly takesFilms: boolean;
  /** Whether this page's reports are kept: not while another server has the store. */
  readonly takesTelemetry: boolean;
  /** Takes reports by CMCD of everything that plays; null where nobody does. */
  readonly cmcdCollector: string | null;
  /** In the order of the menu. */
  readonly films: readonly FilmEntry[];
}

export const SERVER_AWAY = "The server does not answer (it is started with npm start).";

/** The page and its server are not of one version. */
export class StalePage extends Error {
  override readonly name = "StalePage";

  constructor(serverVersion: number) {
    super(
      `The server speaks protocol version ${serverVersion} and this page version ${PROTOCOL_VERSION}: reload the page.`,
    );
  }
}

/**
 * Without a signal for as long as it takes: a page cannot begin without. Throws StalePage, or an Error with one sentence
 * for the viewer.
 */
export async function fetchServerConfig(signal: AbortSignal | null = null): Promise<ServerConfig> {
  let response: Response;
  try {
    response = await fetch("/api/config", { cache: "no-store", signal });
  } catch (error) {
    throw new Error(SERVER_AWAY, { cause: error });
  }
  if (!response.ok) {
    throw new Error(`The server answered ${response.status} to /api/config; its log says why.`);
  }
  const config = (await response.json()) as ServerConfig;
  if (config.protocolVersion !== PROTOCOL_VERSION) {
    throw new StalePage(config.protocolVersion);
  }
  return config;
}

/** Where the media server listens now, over a lane of its emulated link if there is one; null while it is away. */
export async function fetchLane(
  lane: 0 | 1,
  signal: AbortSignal | null = null,
): Promise<MediaServerAddress | null> {
  const { transport, link } = await fetchServerConfig(signal);
  if (transport === null) return null;
  const { sessionToken } = transport;
  return {
    ...(sessionToken !== undefined && { sessionToken }),
    url: transport.laneUrls[lane],
    certificateHashes: transport.certificateHashes,
    isEmulated: link !== null,
    workers: transport.workers,
  };
}

/** Where a page opens its one session that cannot go on without. Throws an Error with one sentence for the viewer. */
export async function fetchMediaServer(): Promise<
  Pick<OpenOptions, "serverUrl" | "certificateHashes" | "sessionToken">
> {
  const server = await fetchLane(0);
  if (server === null) {
    throw new Error("The media server is not up; the server's log says why.");
  }
  const { url, certificateHashes, sessionToken } = server;
  return { serverUrl: url, certificateHashes, sessionToken: sessionToken ?? null };
}
