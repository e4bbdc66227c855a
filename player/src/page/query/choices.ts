import type { SegmentTransport } from "../../dash/player-settings.ts";
import type { EstimatorName } from "../../library/nuwa-api.ts";
import type { PresetName, SchemeName } from "../../options/names.ts";
import type { FilmConfig, ServerConfig } from "../../options/server-config.ts";
import { isRuleName, RULES, type RuleName } from "../../rules/registry.ts";
import type { SessionParameters } from "../../session/session-url.ts";
import { PARAMETERS, withValues } from "./parameters.ts";
import { flagIn, numberIn, oneOf } from "./query-values.ts";

/** What the viewer chose, by the page's query or its pickers. */
export interface Choices {
  readonly scheme: SchemeName;
  readonly preset: PresetName;
  readonly rule: RuleName;
  readonly estimator: EstimatorName;
  /** Instead of the preset's. */
  readonly k: number | null;
  /** Instead of the preset's. */
  readonly targetDelayMs: number | null;
  readonly autoplay: boolean;
  readonly muted: boolean;
  readonly transport: SegmentTransport;
  /** Where the player stops fetching; null for its own. */
  readonly bufferSeconds: number | null;
}

/** Reads the query over the server's defaults. Throws BadChoice. */
export function readChoices(query: URLSearchParams, config: ServerConfig): Choices {
  const { defaults } = config;
  const rules = RULES.map(({ name }) => name);
  const rule = oneOf(query, "rule", rules, defaults.rule);
  const asked = oneOf(query, "transport", PARAMETERS.transport.values, PARAMETERS.transport.otherwise);
  const transport = config.film?.isElsewhere === true ? "http" : asked;
  const estimator = oneOf(query, "estimator", PARAMETERS.estimator.values, PARAMETERS.estimator.otherwise);
  return {
    scheme: oneOf(query, "scheme", namesOf(config.schemes), defaults.scheme),
    preset: oneOf(query, "preset", namesOf(config.presets), defaults.preset),
    rule: isRuleName(rule) ? rule : "nuwa",
    estimator: transport === "http" ? "dashjs" : estimator, // no receiver measures anything
    k: numberIn(query, "k", PARAMETERS.k.values),
    targetDelayMs: numberIn(query, "target_delay_ms", PARAMETERS.target_delay_ms.values),
    autoplay: flagIn(query, "autoplay"),
    muted: flagIn(query, "muted"),
    transport,
    bufferSeconds: numberIn(query, "buffer_s", PARAMETERS.buffer_s.values),
  };
}

/** The configuration with the film that the query asks for. Throws BadChoice, or an Error where there is no film. */
export function withChosenFilm(query: URLSearchParams, config: ServerConfig): FilmConfig {
  const [first] = config.films;
  if (first === undefined) {
    throw new Error(
      "This server has no film to play: its log says why. Start it again, or with another --film.",
    );
  }
  const name = oneOf(query, "film", namesOf(config.films), first.name);
  return { ...config, film: config.films.find((film) => film.name === name) ?? first };
}

/** The query that gives these choices again, beside whatever else it says. */
export function toQuery(query: URLSearchParams, choices: Choices): URLSearchParams {
  const { scheme, preset, rule, estimator, transport, k, targetDelayMs, bufferSeconds } = choices;
  return withValues(query, {
    ...{ scheme, preset, rule, estimator },
    ...(query.has("transport") && { transport }),
    ...{ k, target_delay_ms: targetDelayMs, buffer_s: bufferSeconds },
  });
}

/** The session's parameters: the preset's, but for what was chosen instead. */
export function sessionParameters(choices: Choices, config: ServerConfig): SessionParameters {
  const preset = config.presets.find(({ name }) => name === choices.preset);
  if (preset === undefined) {
    throw new Error(`The server has no preset ${choices.preset}.`);
  }
  return {
    scheme: choices.scheme,
    preset: choices.preset,
    targetDelayMs: choices.targetDelayMs ?? preset.target_delay_ms,
    rhoMs: preset.rho_ms,
    k: choices.k ?? preset.k,
    catchesUp: preset.catches_up,
    followsNeed: preset.follows_need,
    asInPaper: preset.as_in_paper,
  };
}

const namesOf = <T extends string>(entries: readonly { name: T }[]): T[] => entries.map(({ name }) => name);
