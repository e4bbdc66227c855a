import presets from "../../../cc/receiver/presets.json";
import type { SessionParameters } from "../session/session-url.ts";
import type { NuwaOptions } from "./nuwa-api.ts";

const DEFAULT_SCHEME = "nuwa";
const DEFAULT_PRESET = "on-demand";

/** The session's parameters. Throws where there is no such preset; the server refuses an unknown scheme. */
export function sessionParametersOf({
  scheme = DEFAULT_SCHEME,
  preset = DEFAULT_PRESET,
}: Pick<NuwaOptions, "scheme" | "preset">): SessionParameters {
  if (typeof preset !== "string") {
    const { targetDelayMs, rhoMs, k, catchesUp = false } = preset;
    return { scheme, preset: null, targetDelayMs, rhoMs, k, catchesUp };
  }
  const found = presets.find(({ name }) => name === preset);
  if (found === undefined) {
    const known = presets.map(({ name }) => name).join(", ");
    throw new Error(`There is no preset ${preset}; choose one of ${known}, or give its numbers.`);
  }
  const { target_delay_ms: targetDelayMs, rho_ms: rhoMs, k, catches_up: catchesUp } = found;
  return { scheme, preset, targetDelayMs, rhoMs, k, catchesUp };
}
