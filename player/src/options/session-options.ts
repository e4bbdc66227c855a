import presets from "../../../cc/receiver/presets.json";
import type { MediaSessionOptions } from "../session/media-session.ts";
import { type PolicySource, policyFilesOf } from "../session/policy/policy-files.ts";
import type { SessionParameters } from "../session/session-url.ts";
import { type ControlNumbers, requireControlNumbers } from "./control-numbers.ts";
import type { MediaServerSource } from "./media-server-address.ts";
import type { PresetName, SchemeName } from "./names.ts";
import { requireType, requireTypes } from "./option-types.ts";
import { askerOf } from "./server-source.ts";

const DEFAULT_SCHEME = "nuwa";
const DEFAULT_PRESET = "on-demand";

/** What may change while a film plays. */
export interface SessionChoices {
  /** `nuwa` by default. */
  readonly scheme?: SchemeName | undefined;
  /** A preset's name, or its numbers; `on-demand` by default. */
  readonly preset?: PresetName | ControlNumbers | undefined;
}

/** What a page says of its session, whichever player plays. */
export interface NuwaSessionOptions extends SessionChoices {
  /** null: there is no media server. */
  readonly server: MediaServerSource | null;
  /** Whether segments come over HTTP while no session is open; true by default. Else they fail in a browser without WebTransport. */
  readonly fallback?: boolean | undefined;
  /** Where the policies of learned schemes are; without it they run their heuristic. */
  readonly policies?: PolicySource | undefined;
  /**
   * Starts the receiver's worker, for pages whose content security policy refuses workers of `blob:`; the package's
   * `nuwa-stream-player/worker` is its code.
   */
  readonly createWorker?: (() => Worker) | undefined;
}

/** All names. */
export const CHOICE_NAMES: Readonly<Record<keyof SessionChoices, true>> = { scheme: true, preset: true };
export const OPTION_NAMES: Readonly<Record<keyof NuwaSessionOptions, true>> = {
  server: true,
  ...CHOICE_NAMES,
  fallback: true,
  policies: true,
  createWorker: true,
};

/** What a page says to the library, as the session takes it. Throws as `sessionParametersOf`, and for a server's address that is none. */
export function sessionOptionsOf(options: NuwaSessionOptions): Omit<MediaSessionOptions, "stamps"> {
  requireTypes(options, {
    fallback: ["boolean"],
    policies: ["object", "null"],
    createWorker: ["function"],
  });
  const { server, policies = null, fallback = true, createWorker } = options;
  requireType("server", server, "string", "URL", "array", "object", "function", "null");
  for (const name of policies === null ? [] : (["folder", "runtime", "wasm"] as const)) {
    requireType(`policies.${name}`, policies?.[name], "string", "URL");
  }
  return {
    address: server === null ? null : askerOf(server),
    parameters: sessionParametersOf(options),
    policyOf: (scheme) => policyFilesOf(policies, scheme, document.baseURI),
    fallback,
    createWorker,
  };
}

/**
 * The session's parameters. Throws where there is no such preset, RangeError for numbers outside their ranges, and TypeError for
 * what is neither; the server refuses an unknown scheme.
 */
export function sessionParametersOf(choices: SessionChoices): SessionParameters {
  requireTypes(choices, { scheme: ["string"], preset: ["string", "object"] });
  const { scheme = DEFAULT_SCHEME, preset = DEFAULT_PRESET } = choices;
  if (typeof preset !== "string") {
    requireTypes(preset, { catchesUp: ["boolean"], followsNeed: ["boolean"], asInPaper: ["boolean"] });
    requireControlNumbers(preset);
    const { targetDelayMs, rhoMs, k, catchesUp = false, followsNeed = false, asInPaper = false } = preset;
    return { scheme, preset: null, targetDelayMs, rhoMs, k, catchesUp, followsNeed, asInPaper };
  }
  const found = presets.find(({ name }) => name === preset);
  if (found === undefined) {
    const known = presets.map(({ name }) => name).join(", ");
    throw new Error(`There is no preset ${preset}; choose one of ${known}, or give its numbers.`);
  }
  const { target_delay_ms: targetDelayMs, rho_ms: rhoMs, k, catches_up, follows_need, as_in_paper } = found;
  return {
    scheme,
    preset,
    targetDelayMs,
    rhoMs,
    k,
    catchesUp: catches_up,
    followsNeed: follows_need,
    asInPaper: as_in_paper,
  };
}
