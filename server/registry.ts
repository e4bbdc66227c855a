import type { PresetEntry, SchemeEntry, ServerConfig } from "../player/src/options/server-config.ts";

/** What `python -m cc` prints: the one list of congestion-control schemes and presets. */
export interface Registry {
  readonly schemes: readonly Scheme[];
  readonly presets: readonly PresetEntry[];
  readonly defaults: Pick<ServerConfig["defaults"], "scheme" | "preset">;
}

/** A registry whose schemes are those that visitors may choose. */
export interface OfferedRegistry extends Registry {
  /** Films may have been watched under them when they were offered. Absent where all are. */
  readonly schemesNotOffered?: ServerConfig["schemesNotOffered"];
}

export interface Scheme extends SchemeEntry {
  readonly source: string;
}
