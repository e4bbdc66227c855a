import { execa } from "execa";
import { nearestName } from "../../player/src/options/nearest-name.ts";
import type { ServerConfig } from "../../player/src/options/server-config.ts";
import { RULES, type RuleName } from "../../player/src/rules/registry.ts";
import { Problem } from "../problem.mjs";
import type { OfferedRegistry, Registry, Scheme } from "../registry.ts";
import { pythonForQuestions } from "./find-python.mjs";
import type { StartOptions } from "./options.ts";
import { ROOT } from "./paths.ts";

/** For a computer that is busy: what takes a third of a second has taken twenty there. */
const LIMIT_MS = 120_000;

/** The adaptation rule where none is asked for. */
export const DEFAULT_RULE: RuleName = "nuwa";

/** What a module of this clone answered. */
export interface Answer {
  readonly python: string;
  /** Absent where a signal ended it, or it could not be run. */
  readonly status: number | undefined;
  readonly stdout: string;
  /** What it wrote to stderr, or why it could not be run. */
  readonly problem: string;
}

/** Asks one of this clone's Python modules that need nothing but Python itself, and so answer before any set-up. */
export async function askPython(...args: readonly string[]): Promise<Answer> {
  const python = pythonForQuestions();
  const result = await execa(python, ["-m", ...args], {
    cwd: ROOT,
    stdin: "ignore",
    timeout: LIMIT_MS,
    reject: false,
  });
  return {
    python,
    status: result.exitCode,
    stdout: result.stdout,
    problem: result.stderr || (result.shortMessage ?? ""),
  };
}

/** The congestion-control schemes and presets, as cc/ lists them. */
export async function readRegistry(): Promise<Registry> {
  return (await askForJson("schemes", "cc")) as Registry;
}

/** @throws Problem if the module does not answer */
export async function askForJson(what: string, ...args: readonly string[]): Promise<unknown> {
  const answer = await askPython(...args);
  if (answer.status === 0) return JSON.parse(answer.stdout);
  throw unreadable(what, args, answer);
}

export function unreadable(
  what: string,
  args: readonly string[],
  { python, status, problem }: Answer,
): Problem {
  const end = status === undefined ? "gave no answer" : `ended with ${status}`;
  const sentence = `the list of ${what} cannot be read: ${python} -m ${args.join(" ")} ${end}`;
  return new Problem(sentence, { exitCode: 1, detail: problem });
}

/**
 * The registry with these schemes alone; the page begins with its usual one, or else with the first that is named.
 *
 * @param names null offers all
 * @throws Problem for one that there is not
 */
export function offering(names: readonly string[] | null, registry: Registry): OfferedRegistry {
  if (names === null) return registry;
  const { schemes, defaults } = registry;
  const [first = defaults.scheme] = names.map((name) => knownName("scheme", name, schemes));
  const isOffered = ({ name }: Scheme): boolean => names.includes(name);
  return {
    ...registry,
    schemes: schemes.filter(isOffered),
    schemesNotOffered: schemes.filter((scheme) => !isOffered(scheme)),
    defaults: { ...defaults, scheme: names.includes(defaults.scheme) ? defaults.scheme : first },
  };
}

/**
 * What the page begins with where nobody chooses: what the options name, else the registry's.
 *
 * @throws Problem for a name that there is not
 */
export function beginningWith(
  { scheme, preset, rule }: Pick<StartOptions, "scheme" | "preset" | "rule">,
  { schemes, presets, defaults }: OfferedRegistry,
): ServerConfig["defaults"] {
  return {
    scheme: scheme === null ? defaults.scheme : knownName("scheme", scheme, schemes),
    preset: preset === null ? defaults.preset : knownName("preset", preset, presets),
    rule: rule === null ? DEFAULT_RULE : knownName("rule", rule, RULES),
  };
}

/** @throws Problem naming the nearest, or all that are known */
function knownName<Name extends string>(
  kind: "scheme" | "preset" | "rule",
  name: string,
  entries: readonly { readonly name: Name }[],
): Name {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found.name;
  const names = entries.map((entry) => entry.name);
  throw new Problem(
    `unknown ${kind} "${name}": ${meant(name, names) ?? `choose one of ${names.join(", ")}`}`,
  );
}

/** What somebody may have meant by a name that there is not; null where none is alike. */
export function meant(name: string, known: readonly string[]): string | null {
  const nearest = nearestName(name, known);
  return nearest === null ? null : `did you mean ${nearest}? npm start -- --help lists all`;
}
