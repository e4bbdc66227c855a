import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { LINK_LIMITS } from "../../server/setup/link-limits.ts";
import { number, OptionError, oneOf } from "../browser/cell/options.ts";
import { DISCIPLINES, type Discipline, MAHIMAHI_ARGUMENTS } from "../browser/link/discipline.ts";
import {
  type FlowContext,
  type FlowTemplate,
  parseFlows,
  parseScheme,
  type SchemeChoice,
  SELF,
  splitSettings,
} from "./flow-syntax.ts";
import { ACK_POLICIES, type AckPolicy, PLACES, type Place } from "./plan.ts";

/** What the registry knows. */
export interface KnownNames {
  schemes: readonly string[];
  /** Those of them that presets say something to. */
  receiverDriven: readonly string[];
  presets: readonly string[];
  defaultPreset: string;
}

/** What the command line asks for. */
export interface MatrixRequest {
  schemes: readonly SchemeChoice[];
  links: readonly LinkChoice[];
  places: readonly Place[];
  seeds: number;
  flows: readonly FlowTemplate[];
  /** As it was written. */
  flowsText: string;
  /** Of flows that name none. */
  preset: string;
  durationSeconds: number;
  /** Whether each seed begins elsewhere in the trace. */
  spreadsStarts: boolean;
  acks: AckPolicy;
  /** Name of the arm that the others are compared with; null is the first. */
  baseline: string | null;
  qlog: boolean;
  /** Simulations side by side. */
  jobs: number;
  outputDirectory: string | null;
}

export interface LinkChoice {
  /** A recorded or generated trace, a file, or a rate. */
  trace: string;
  delayMs: number;
  queuePackets: number | null;
  discipline: Discipline;
  lossRatio: number;
}

const OPTIONS = {
  schemes: { type: "string" },
  links: { type: "string", default: "24mbit" },
  on: { type: "string", default: "simulation" },
  seeds: { type: "string", default: "5" },
  flows: { type: "string", default: "1" },
  duration: { type: "string", default: "30" },
  delay: { type: "string", default: "20" },
  queue: { type: "string", default: "300" },
  discipline: { type: "string", default: "droptail" },
  loss: { type: "string", default: "0" },
  preset: { type: "string" },
  starts: { type: "string", default: "spread" },
  acks: { type: "string", default: "chromium" },
  baseline: { type: "string" },
  qlog: { type: "boolean", default: false },
  jobs: { type: "string" },
  output: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

const LINK_SETTINGS = ["delay", "queue", "discipline", "loss"] as const;

/** Whether the arguments ask for a matrix rather than for a benchmark by name. */
export function asksForMatrix(args: readonly string[]): boolean {
  return args.some((arg) => /^--(schemes|links|on|seeds|flows)(=|$)/.test(arg));
}

/** null if the arguments ask for help. */
export function parseMatrixOptions(args: readonly string[], known: KnownNames): MatrixRequest | null {
  const values = parse(args);
  if (values.help) return null;
  const durationSeconds = number("duration", values.duration, { min: 1, max: 3600 });
  const preset = oneOf("preset", values.preset ?? known.defaultPreset, known.presets);
  const context: FlowContext = { ...known, preset, durationSeconds };
  const flows = parseFlows(values.flows, context);
  const request: MatrixRequest = {
    ...{ flows, flowsText: values.flows, preset, durationSeconds },
    schemes: listOf("schemes", values.schemes).map((text) => parseScheme(text, context)),
    links: listOf("links", values.links).map((text) => parseLink(text, values)),
    places: listOf("on", values.on).map((place) => oneOf("on", place, PLACES)),
    seeds: whole("seeds", values.seeds, { min: 1, max: 1000 }),
    spreadsStarts: oneOf("starts", values.starts, ["spread", "same"] as const) === "spread",
    acks: oneOf("acks", values.acks, ACK_POLICIES),
    baseline: values.baseline ?? null,
    qlog: values.qlog,
    jobs:
      values.jobs === undefined ? availableParallelism() : whole("jobs", values.jobs, { min: 1, max: 1000 }),
    outputDirectory: values.output === undefined ? null : resolve(values.output),
  };
  checkTogether(request);
  return request;
}

/** What no single option can know. */
function checkTogether({ schemes, flows, places, acks, qlog, links }: MatrixRequest): void {
  const hasSelf = flows.some(({ scheme }) => scheme === SELF);
  if (hasSelf && schemes.length === 0) {
    throw new OptionError("--schemes: name at least one scheme, or let --flows name all of them");
  }
  if (!hasSelf && schemes.length > 0) {
    throw new OptionError(
      `--flows names every scheme: leave --schemes out, or write ${SELF} where they are to stand`,
    );
  }
  const emulated = places.filter((place) => place !== "simulation");
  if (emulated.length === 0) {
    if (qlog) throw new OptionError("--qlog: only runs on relay or mahimahi have a server that writes one");
    return;
  }
  checkDisciplines(links, emulated, flows);
  if (acks !== "chromium") {
    throw new OptionError(
      `--acks ${acks}: receivers on ${emulated.join(" and ")} acknowledge as Chromium does`,
    );
  }
}

function checkDisciplines(
  links: readonly LinkChoice[],
  emulated: readonly Place[],
  flows: readonly FlowTemplate[],
): void {
  const missing = links.find(({ discipline }) => MAHIMAHI_ARGUMENTS[discipline] === undefined);
  if (missing !== undefined && emulated.includes("mahimahi")) {
    const known = Object.keys(MAHIMAHI_ARGUMENTS).join(", ");
    throw new OptionError(`--discipline ${missing.discipline}: mahimahi has ${known} only`);
  }
  // what only delays a flow passes on no marks
  if (links.some(({ discipline }) => discipline === "abc") && flows.some(({ rttMs }) => rttMs !== null)) {
    throw new OptionError(
      `--discipline abc: on ${emulated.join(" and ")} flows cannot have an rtt of their own, which marks do not survive`,
    );
  }
}

type Values = ReturnType<typeof parse>;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new OptionError(`${error.message.split(". ")[0]}; see --help`);
    throw error;
  }
}

/** `24mbit:queue=100:delay=40`; what is not said is the option's of that name. */
function parseLink(text: string, values: Values): LinkChoice {
  const { name, settings } = splitSettings(text, "--links", LINK_SETTINGS);
  const setting = (key: (typeof LINK_SETTINGS)[number]) => settings.get(key) ?? values[key];
  const option = (key: (typeof LINK_SETTINGS)[number]) => (settings.has(key) ? `links ${name}:${key}` : key);
  const queue = setting("queue");
  return {
    trace: name,
    delayMs: whole(option("delay"), setting("delay"), LINK_LIMITS.delayMs),
    queuePackets: queue === "none" ? null : whole(option("queue"), queue, LINK_LIMITS.queuePackets),
    discipline: oneOf(option("discipline"), setting("discipline"), DISCIPLINES),
    lossRatio: number(option("loss"), setting("loss"), LINK_LIMITS.loss),
  };
}

function listOf(option: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const entries = text.split(",").map((entry) => entry.trim());
  const twice = entries.find((entry, index) => entries.indexOf(entry) !== index);
  if (entries.includes("")) throw new OptionError(`--${option} ${text}: an entry is empty`);
  if (twice !== undefined) throw new OptionError(`--${option} ${text}: ${twice} is there twice`);
  return entries;
}

function whole(option: string, text: string, range: { min: number; max: number }): number {
  const value = number(option, text, range);
  if (!Number.isInteger(value)) throw new OptionError(`--${option} ${text}: give a whole number`);
  return value;
}
