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

/** Throws an Error with one sentence for the viewer. */
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
  return (await response.json()) as ServerConfig;
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
