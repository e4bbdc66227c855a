import type { SegmentTransport } from "../../dash/player-settings.ts";
import type { EstimatorName } from "../../library/nuwa-api.ts";
import { CONTROL_RANGES } from "../../options/control-numbers.ts";
import type { PresetName, SchemeName } from "../../options/names.ts";
import type { FilmConfig, ServerConfig } from "../../options/server-config.ts";
import { isRuleName, RULES, type RuleName } from "../../rules/registry.ts";
import type { SessionParameters } from "../../session/session-url.ts";
import { OF_LINK } from "./link-query.ts";
import { numberIn, oneOf } from "./query-values.ts";
import { OF_WISHES } from "./wishes.ts";

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

const ESTIMATORS = ["receiver", "dashjs"] as const satisfies readonly EstimatorName[];
const TRANSPORTS = ["webtransport", "http"] as const satisfies readonly SegmentTransport[];
const BUFFER_SECONDS_RANGE = [2, 120] as const;

/** Reads the query over the server's defaults. Throws BadChoice. */
export function readChoices(query: URLSearchParams, config: ServerConfig): Choices {
  const { defaults } = config;
  const rules = RULES.map(({ name }) => name);
  const rule = oneOf(query, "rule", rules, defaults.rule);
  const asked = oneOf(query, "transport", TRANSPORTS, "webtransport");
  const transport = config.film?.isElsewhere === true ? "http" : asked;
  const estimator = oneOf(query, "estimator", ESTIMATORS, "receiver");
  return {
    scheme: oneOf(query, "scheme", namesOf(config.schemes), defaults.scheme),
    preset: oneOf(query, "preset", namesOf(config.presets), defaults.preset),
    rule: isRuleName(rule) ? rule : "nuwa",
    estimator: transport === "http" ? "dashjs" : estimator, // no receiver measures anything
    k: numberIn(query, "k", CONTROL_RANGES.k),
    targetDelayMs: numberIn(query, "target_delay_ms", CONTROL_RANGES.targetDelayMs),
    autoplay: query.get("autoplay") !== "0",
    muted: query.get("muted") === "1",
    transport,
    bufferSeconds: numberIn(query, "buffer_s", BUFFER_SECONDS_RANGE),
  };
}

/** The configuration with the film that the query asks for. Throws BadChoice, or an Error where there is no film. */
export function withChosenFilm(query: URLSearchParams, config: ServerConfig): FilmConfig {
  const [first] = config.films;
  if (first === undefined) {
    throw new Error("This server has no film: start it with --film FILM.");
  }
  const name = oneOf(query, "film", namesOf(config.films), first.name);
  return { ...config, film: config.films.find((film) => film.name === name) ?? first };
}

/** What else a page's query may say: of the film, the link, the charts, and whether anything is reported. */
export const OF_PAGE = ["film", "link", ...OF_LINK, "charts", "telemetry"] as const;
/** As `readChoices` reads them. */
const OF_FILM = [
  "scheme",
  "preset",
  "rule",
  "estimator",
  "k",
  "target_delay_ms",
  "buffer_s",
  "autoplay",
  "muted",
  "transport",
] as const;

export interface UnknownParameters {
  readonly names: readonly string[];
  /** Those that there are. */
  readonly known: readonly string[];
}

/** Names in the query that mean nothing; null where there are none. */
export function unknownParameters(
  query: URLSearchParams,
  known: readonly string[] = [...OF_FILM, ...OF_WISHES, ...OF_PAGE],
): UnknownParameters | null {
  const names = [...new Set(query.keys())].filter((name) => !known.includes(name));
  return names.length === 0 ? null : { names, known };
}

/** The query that gives these choices again, beside whatever else it says. */
export function toQuery(query: URLSearchParams, choices: Choices): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of ["scheme", "preset", "rule", "estimator"] as const) {
    next.set(name, choices[name]);
  }
  if (next.has("transport")) {
    next.set("transport", choices.transport);
  }
  for (const [name, value] of [
    ["k", choices.k],
    ["target_delay_ms", choices.targetDelayMs],
    ["buffer_s", choices.bufferSeconds],
  ] as const) {
    if (value === null) {
      next.delete(name);
    } else {
      next.set(name, String(value));
    }
  }
  return next;
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
