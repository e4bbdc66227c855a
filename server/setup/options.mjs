import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { LINK_LIMITS } from "./link-limits.mjs";
import { ROOT } from "./paths.mjs";
import { Problem } from "./problem.mjs";

/** @typedef {"error" | "warn" | "info" | "debug"} LogLevel */

/**
 * @typedef {object} StartOptions
 * @property {boolean} help
 * @property {number} port 0 takes a free one
 * @property {string} host
 * @property {string | null} film absolute path; null plays the demo film
 * @property {string | null} scheme null leaves the choice to the registry, as for the preset and the rule
 * @property {string | null} preset
 * @property {string | null} rule
 * @property {LinkOption | null} link null emulates none
 * @property {number} delay of an emulated link each way, in ms
 * @property {number} queue of an emulated link, in packets
 * @property {number} loss ratio of the packets that an emulated link loses
 * @property {string} data absolute path of the folder for what is to outlast the server
 * @property {LogLevel} logLevel
 */

/** @typedef {{text: string, file: string}} LinkOption as given, and the absolute path that it is if it is a file */

/** @type {readonly LogLevel[]} */
export const LOG_LEVELS = ["error", "warn", "info", "debug"];

/** The adaptation rule where none is asked for. */
export const DEFAULT_RULE = "nuwa";

/** @typedef {{name: string, placeholder: string, summary: string}} StartOption */

/** @type {readonly StartOption[]} */
export const START_OPTIONS = [
  { name: "port", placeholder: "NUMBER", summary: "port of the page (default 8080; 0 takes a free one)" },
  { name: "host", placeholder: "ADDRESS", summary: "address to listen on (default 127.0.0.1)" },
  { name: "film", placeholder: "FILE", summary: "any film that ffmpeg reads (default: a generated one)" },
  { name: "scheme", placeholder: "NAME", summary: "congestion control that the page starts with" },
  { name: "preset", placeholder: "NAME", summary: "target delay that the page starts with" },
  { name: "rule", placeholder: "NAME", summary: "adaptation rule that the page starts with" },
  {
    name: "link",
    placeholder: "NAME|RATE|FILE",
    summary: "link to emulate: a name, 24mbit, a trace",
  },
  { name: "delay", placeholder: "MS", summary: "delay of an emulated link, each way (default 20)" },
  { name: "queue", placeholder: "PACKETS", summary: "queue of an emulated link (default 300)" },
  { name: "loss", placeholder: "RATIO", summary: "share of packets that it loses (default 0)" },
  { name: "data", placeholder: "DIRECTORY", summary: "where telemetry is kept (default .data in the clone)" },
  { name: "log-level", placeholder: "LEVEL", summary: `${LOG_LEVELS.join(", ")} (default info)` },
];

/** @param {string} option */
export const variableOf = (option) => `NUWA_${option.toUpperCase().replaceAll("-", "_")}`;

/**
 * Options of `npm start`; those not given are taken from the environment.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @returns {StartOptions}
 * @throws {Problem} naming what is unknown or malformed
 */
export function parseStartOptions(args, environment) {
  const { help, given } = readArguments(args);
  refuseSwallowedOptions(environment);
  /** @param {string} name */
  const setting = (name) => {
    if (given.has(name)) return { source: `--${name}`, value: given.get(name) ?? "" };
    const value = environment[variableOf(name)];
    return value === undefined || value === "" ? null : { source: variableOf(name), value };
  };
  const film = setting("film");
  const data = setting("data");
  const link = setting("link");
  /** @param {string} path as given: npm moves to the clone; INIT_CWD is where it was called */
  const fromCaller = (path) => resolve(environment.INIT_CWD ?? process.cwd(), path);
  return {
    help,
    port: readPort(setting("port")),
    host: readHost(setting("host")),
    film: film && fromCaller(film.value),
    scheme: setting("scheme")?.value ?? null,
    preset: setting("preset")?.value ?? null,
    rule: setting("rule")?.value ?? null,
    link: link && { text: link.value, file: fromCaller(link.value) },
    delay: readNumber(setting("delay"), {
      preset: 20,
      range: LINK_LIMITS.delayMs,
      unit: "milliseconds",
    }),
    queue: readNumber(setting("queue"), {
      preset: 300,
      range: LINK_LIMITS.queuePackets,
      unit: "packets",
      isWhole: true,
    }),
    loss: readNumber(setting("loss"), {
      preset: 0,
      range: LINK_LIMITS.loss,
      unit: "0.01 is one packet in a hundred",
    }),
    data: data === null ? join(ROOT, ".data") : fromCaller(data.value),
    logLevel: readLogLevel(setting("log-level")),
  };
}

/** @param {readonly string[]} args */
function readArguments(args) {
  const known = START_OPTIONS.map(({ name }) => name);
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h" },
      ...Object.fromEntries(known.map((name) => [name, { type: /** @type {const} */ ("string") }])),
    },
    strict: false,
    tokens: true,
  });
  /** @type {Map<string, string>} */
  const given = new Map();
  let help = false;
  for (const token of tokens) {
    if (token.kind === "positional") {
      throw new Problem(
        `unexpected argument "${token.value}": options are written after two dashes, as in npm start -- --port 9000`,
      );
    }
    if (token.kind === "option-terminator") continue;
    if (token.name === "help" && token.value === undefined) help = true;
    else if (!known.includes(token.name)) {
      const list = known.map((name) => `--${name}`).join(", ");
      throw new Problem(`unknown option ${token.rawName}: the options are ${list} and --help`);
    } else if (!token.value || (!token.inlineValue && token.value.startsWith("--"))) {
      throw new Problem(`option --${token.name} needs a value: see npm start -- --help`);
    } else given.set(token.name, token.value);
  }
  return { help, given };
}

/**
 * Without the two dashes, npm takes an option for its own and the program would start without it.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
function refuseSwallowedOptions(environment) {
  for (const { name, placeholder } of START_OPTIONS) {
    if (environment[`npm_config_${name.replaceAll("-", "_")}`] === undefined) continue;
    throw new Problem(
      `npm kept --${name} for itself: write two dashes before it, npm start -- --${name} ${placeholder}`,
    );
  }
}

/** @param {{source: string, value: string} | null} setting */
function readPort(setting) {
  if (setting === null) return 8080;
  const port = Number(setting.value);
  if (/^\d{1,5}$/.test(setting.value) && port <= 65_535) return port;
  throw new Problem(`${setting.source} is "${setting.value}": write a port number from 0 to 65535`);
}

/**
 * @param {{source: string, value: string} | null} setting
 * @param {{preset: number, range: import("./link-limits.mjs").Range, unit: string, isWhole?: boolean}} number
 */
function readNumber(setting, { preset, range: { min, max }, unit, isWhole = false }) {
  if (setting === null) return preset;
  const value = Number(setting.value);
  const isOfForm = isWhole ? /^\d+$/.test(setting.value) : /^(\d+\.?\d*|\.\d+)$/.test(setting.value);
  if (isOfForm && value >= min && value <= max) return value;
  const kind = isWhole ? "a whole number" : "a number";
  throw new Problem(`${setting.source} is "${setting.value}": write ${kind} from ${min} to ${max} (${unit})`);
}

/** @param {{source: string, value: string} | null} setting */
function readHost(setting) {
  if (setting === null) return "127.0.0.1";
  if (/^[A-Za-z0-9._:%-]+$/.test(setting.value)) return setting.value;
  throw new Problem(
    `${setting.source} is "${setting.value}": write a host name or an IP address without scheme and port`,
  );
}

/** @param {{source: string, value: string} | null} setting */
function readLogLevel(setting) {
  if (setting === null) return "info";
  const level = LOG_LEVELS.find((name) => name === setting.value);
  if (level !== undefined) return level;
  throw new Problem(`${setting.source} is "${setting.value}": write one of ${LOG_LEVELS.join(", ")}`);
}
