import { PROTOCOL_VERSION } from "../receiver/session-url.ts";
import type { RuleName } from "../rules/registry.ts";

export interface SchemeEntry {
  readonly name: string;
  readonly title: string;
  readonly control: "receiver" | "sender";
  readonly summary: string;
}

export interface PresetEntry {
  readonly name: string;
  readonly title: string;
  readonly target_delay_ms: number;
  readonly rho_ms: number;
  readonly k: number;
  readonly summary: string;
}

export interface NamedEntry {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
}

/** What `GET /api/config` answers. */
export interface ServerConfig {
  readonly protocolVersion: number;
  /** null while the media server is not up. */
  readonly transport: { readonly url: string; readonly certificateHashes: readonly string[] } | null;
  readonly schemes: readonly SchemeEntry[];
  readonly presets: readonly PresetEntry[];
  readonly rules: readonly NamedEntry[];
  readonly defaults: { readonly scheme: string; readonly preset: string; readonly rule: RuleName };
  readonly film: { readonly title: string; readonly manifestUrl: string; readonly durationSeconds: number };
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

/** Throws StalePage, or an Error with one sentence for the viewer. */
export async function fetchServerConfig(): Promise<ServerConfig> {
  let response: Response;
  try {
    response = await fetch("/api/config", { cache: "no-store" });
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

/** Where the media server listens now. Throws an Error with one sentence for the viewer. */
export async function fetchMediaServer(): Promise<{
  serverUrl: string;
  certificateHashes: readonly string[];
}> {
  const { transport } = await fetchServerConfig();
  if (transport === null) {
    throw new Error("The media server is not up; the server's log says why.");
  }
  return { serverUrl: transport.url, certificateHashes: transport.certificateHashes };
}
