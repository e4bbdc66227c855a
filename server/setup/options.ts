import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { Command, CommanderError, Option } from "commander";
import type { Rung } from "../../media/ladder.ts";
import { parseLadder } from "../../media/own-ladder.ts";
import { parseCodec, type VideoCodecName } from "../../media/video-codec.ts";
import { everyAddress, mediaPortCount } from "../addresses.ts";
import { isLoopback } from "../connections/address-group.ts";
import { LINK_DEFAULTS, LINK_LIMITS } from "../link/link-limits.ts";
import type { LogLevel } from "../log.ts";
import { Problem } from "../problem.mjs";
import type { CertificateFiles } from "../tls/certificate-pair.ts";
import { blockedAmong } from "./blocked-ports.ts";
import { readFlag } from "./flag.mjs";
import {
  mediaValue,
  numberIn,
  type Read,
  readCollector,
  readFilmUrl,
  readHost,
  readLogLevel,
  readOrigin,
  readPort,
  readPublicUrl,
  readSubnets,
  readToken,
  readUdpPort,
  wholeNumberIn,
} from "./option-values.ts";
import { ROOT } from "./paths.ts";
import { flagOf, START_OPTIONS, variableOf } from "./start-help.mjs";
import { IN_FLIGHT_MIB, RATE_LIMITS_MBIT, WORKERS } from "./transport-limits.ts";
import { refuseUnknownVariables } from "./variables.ts";

/** A link as it was asked for, and the absolute path that it is if it is a file. */
export interface LinkOption {
  readonly text: string;
  readonly file: string;
}

/** Options of `npm start`. */
export interface StartOptions {
  readonly help: boolean;
  readonly version: boolean;
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** At which pages reach the server besides the addresses that it listens on, such as a proxy's; null: at none. */
  readonly origin: string | null;
  /** Where everybody opens the page, at a proxy that ends TLS in front of this server; null: nowhere but here. */
  readonly publicUrl: string | null;
  /** Addresses and subnets of proxies on other machines; null: there are none. */
  readonly trustProxy: readonly string[] | null;
  /** Pages are served over HTTPS. */
  readonly https: boolean;
  /** Paths of a certificate that browsers trust by its issuer, and of its key; null: one of our own is made. */
  readonly certificate: CertificateFiles | null;
  /** Absolute path of the key whose tokens open sessions; null opens them for everybody. */
  readonly sessionKey: string | null;
  /** Of the media server; 0 takes a free one. Further workers take those that follow it, an emulated link the next two. */
  readonly udpPort: number;
  /** Null leaves it to chance, where one is needed at all. */
  readonly token: string | null;
  /** Absolute paths and URLs; none plays the demo film. */
  readonly films: readonly string[];
  /** Whether films of other servers are fetched through this one. */
  readonly pull: boolean;
  /** Whether films are played while they are encoded. */
  readonly playWhileEncoding: boolean;
  /** Rungs of one's own for films that are packaged; null: those of media/ that make sense. */
  readonly ladder: readonly Rung[] | null;
  /** In which they are encoded besides H.264; null: in none. */
  readonly codec: VideoCodecName | null;
  /** Whether VMAF and SSIM of films that are packaged are measured before they are served. */
  readonly quality: boolean;
  /** Null leaves the choice to the registry, as for the preset and the rule. */
  readonly scheme: string | null;
  readonly preset: string | null;
  readonly rule: string | null;
  /** Null emulates none. */
  readonly link: LinkOption | null;
  /** Of an emulated link each way, in ms. */
  readonly delay: number;
  /** Of an emulated link, in packets. */
  readonly queue: number;
  /** Ratio of the packets that an emulated link loses. */
  readonly loss: number;
  /** Whether each session has an emulated link alone. */
  readonly laneEach: boolean;
  /** URL, or a path of this server, that takes what pages report by CMCD; null: they report none. */
  readonly cmcd: string | null;
  /** Processes of the media server. */
  readonly workers: number;
  /** Whether all of them have one UDP port. */
  readonly sharedPort: boolean;
  /** What one session, and what all together, are sent at most, in Mbit/s; null is no limit. */
  readonly sessionRateMbit: number | null;
  readonly totalRateMbit: number | null;
  /** What all sessions of one of these together may have in flight, in MiB; null leaves it to the media server. */
  readonly inFlightMib: number | null;
  /** Names of the schemes that viewers may choose; null offers all. */
  readonly schemes: readonly string[] | null;
  /** Absolute path of the folder for what is to outlast the server. */
  readonly data: string;
  /** Whether any is taken. */
  readonly telemetry: boolean;
  /** How long its sessions are kept after they began; null: for as long as there is room. */
  readonly telemetryDays: number | null;
  readonly logLevel: LogLevel;
}

/**
 * Emulated where none is asked for and the page is for this machine alone: without, a film on one machine shows nothing of
 * congestion control. Whoever serves others emulates none for all of them unasked.
 */
export const DEFAULT_LINK = "steps";
const NO_LINK = "none";

/** One that a firewall can be told of. */
const PUBLIC_UDP_PORT = 4433;

const NONE = {
  origin: null,
  publicUrl: null,
  trustProxy: null,
  sessionKey: null,
  token: null,
  scheme: null,
  preset: null,
  rule: null,
  ladder: null,
  codec: null,
  link: null,
  cmcd: null,
  sessionRateMbit: null,
  totalRateMbit: null,
  inFlightMib: null,
  schemes: null,
  telemetryDays: null,
};

/**
 * Options of `npm start`; those not given are taken from the environment.
 *
 * @throws Problem naming what is unknown or malformed
 */
export function parseStartOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions {
  const command = startCommand(environment);
  try {
    command.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const [sentence, suggestion] = error.message.replace(/^error: /, "").split("\n");
    const nearest = /\(Did you mean (.*)\)/.exec(suggestion ?? "")?.[1];
    throw new Problem(
      `${sentence}: ${nearest === undefined ? "see npm start -- --help" : `did you mean ${nearest}`}`,
    );
  }
  const [unexpected] = command.args;
  if (unexpected !== undefined) {
    throw new Problem(
      `unexpected argument "${unexpected}": options are written after two dashes, as in npm start -- --port 9000`,
    );
  }
  for (const option of command.options) refuseSwallowed(option, environment);
  const given = command.opts<Given>();
  if (given.help !== true && given.version !== true) refuseUnknownVariables(environment);
  return withTls(given);
}

/** As given: what depends on other options is not settled. */
type Given = Partial<Omit<StartOptions, "certificate">> & {
  readonly certificate?: string;
  readonly key?: string;
  readonly film?: readonly string[];
};

function withTls({ certificate, key, film = [], ...given }: Given): StartOptions {
  const [present, missing] = key === undefined ? ["--certificate", "--key"] : ["--key", "--certificate"];
  if ((certificate === undefined) !== (key === undefined))
    throw new Problem(`${present} goes with ${missing}: give the file of each`);
  if (given.trustProxy !== undefined && given.publicUrl === undefined)
    throw new Problem(
      "--trust-proxy goes with --public-url: give the address at which the proxy serves the page",
    );
  const https = given.https === true || certificate !== undefined;
  if (given.trustProxy !== undefined && https)
    throw new Problem(
      "--trust-proxy is for a proxy that ends TLS in front of this server: leave it out, or --https and --certificate",
    );
  refuseContradictions(given);
  const files = certificate === undefined || key === undefined ? null : { certificate, key };
  const host = https ? everyAddress() : "127.0.0.1"; // over HTTPS the page is for other machines
  const udpPort = given.publicUrl === undefined ? 0 : PUBLIC_UDP_PORT;
  const common = { ...NONE, help: false, version: false, host, udpPort, films: film };
  const options = { ...common, ...given, https, certificate: files } as StartOptions;
  const settled = { ...options, link: settledLink(given.link, options) };
  refuseBlockedPorts(settled);
  return settled;
}

/** What one option takes away and another needs. */
function refuseContradictions({
  cmcd,
  telemetry,
  quality,
  playWhileEncoding,
}: Pick<Given, "cmcd" | "telemetry" | "quality" | "playWhileEncoding">): void {
  if (cmcd?.startsWith("/api/telemetry/") === true && telemetry === false)
    throw new Problem(
      `--cmcd ${cmcd} is this server's telemetry, of which it takes none with --no-telemetry: leave one of them out`,
    );
  if (quality === true && playWhileEncoding === true)
    throw new Problem(
      "--quality measures films before they are served, and --play-while-encoding serves them before: leave one of them out",
    );
}

/** Each page is given the worker with the fewest sessions: one that no browser reaches would be given to nearly all. */
function refuseBlockedPorts(options: StartOptions): void {
  const { udpPort, workers, link } = options;
  const blocked = udpPort === 0 ? null : blockedAmong(udpPort, mediaPortCount(options) + laneCount(link));
  if (blocked !== null)
    throw new Problem(
      `the ${workers} workers from UDP port ${udpPort} on, or an emulated link, take port ${blocked}, to which browsers connect nothing: give fewer --workers, --shared-port, or another --udp-port`,
    );
}

/** How many UDP ports an emulated link takes. */
export function laneCount(link: StartOptions["link"]): number {
  return link === null ? 0 : 2;
}

function settledLink(
  given: StartOptions["link"] | undefined,
  { host, publicUrl }: Pick<StartOptions, "host" | "publicUrl">,
): StartOptions["link"] {
  if (given?.text === NO_LINK) return null;
  if (given !== undefined) return given;
  const isForOthers = publicUrl !== null || !(host === "localhost" || isLoopback(host));
  return isForOthers ? null : { text: DEFAULT_LINK, file: resolve(DEFAULT_LINK) };
}

function startCommand(environment: NodeJS.ProcessEnv): Command {
  const command = new Command("npm start --")
    .helpOption(false)
    .allowExcessArguments()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  const add = <T>(word: keyof typeof START_OPTIONS, read: Read<T>, preset?: T) => {
    const option = new Option(flagOf(word, START_OPTIONS[word].value));
    const variable = variableOf(word);
    const name = option.attributeName();
    const readGiven = (value: string) => {
      if (value !== "") return read(value, `--${option.name()}`);
      throw new Problem(`option --${option.name()} needs a value: see npm start -- --help`);
    };
    if (START_OPTIONS[word].value !== "") option.argParser(readGiven);
    command.addOption(option.default(preset));
    const value = environment[variable];
    if (value) command.setOptionValueWithSource(name, read(value, variable), "env");
  };
  /** Several: those of the command line instead of the one in the environment. */
  const addFilms = () => {
    const films: string[] = [];
    const filmOf: Read<string> = (value, source) =>
      /^https?:/i.test(value) ? readFilmUrl(value, source) : fromCaller(value, source);
    add("film", (value, source) => {
      const film = filmOf(value, source);
      if (source === variableOf("film")) return [film];
      films.push(film);
      return films;
    });
  };
  const text: Read<string> = (value) => value;
  const readNames: Read<readonly string[]> = (value) => [...new Set(value.split(","))];
  /** npm moves to the clone; INIT_CWD is where it was called. */
  const fromCaller: Read<string> = (path) => resolve(environment.INIT_CWD ?? process.cwd(), path);
  const { delayMs, queuePackets, loss } = LINK_LIMITS;
  add("port", readPort, 8080);
  add("host", readHost);
  add("origin", readOrigin);
  add("public-url", readPublicUrl);
  add("trust-proxy", readSubnets);
  add("udp-port", readUdpPort);
  add("https", readFlag, false);
  add("session-key", fromCaller);
  add("certificate", fromCaller);
  add("key", fromCaller);
  add("token", readToken);
  addFilms();
  add("pull", readFlag, false);
  add("play-while-encoding", readFlag, false);
  add("ladder", mediaValue(parseLadder));
  add("codec", mediaValue(parseCodec));
  add("quality", readFlag, false);
  add("scheme", text);
  add("schemes", readNames);
  add("preset", text);
  add("rule", text);
  add("link", (given, source) => ({ text: given, file: fromCaller(given, source) }));
  add("delay", numberIn(delayMs, "milliseconds"), LINK_DEFAULTS.delayMs);
  add("queue", wholeNumberIn(queuePackets, "packets"), LINK_DEFAULTS.queuePackets);
  add("loss", numberIn(loss, "0.01 is one packet in a hundred"), LINK_DEFAULTS.lossRatio);
  add("lane-each", readFlag, false);
  add("cmcd", readCollector);
  add(
    "workers",
    wholeNumberIn(WORKERS, "processes of the media server"),
    Math.min(WORKERS.max, availableParallelism()),
  );
  add("shared-port", readFlag, false);
  const rate = numberIn(RATE_LIMITS_MBIT, "Mbit/s");
  add("session-rate-mbit", rate);
  add("total-rate-mbit", rate);
  add("in-flight-mib", wholeNumberIn(IN_FLIGHT_MIB, "MiB"));
  add("data", fromCaller, join(ROOT, ".data"));
  add("no-telemetry", (value, source) => !readFlag(value, source), true);
  add("telemetry-days", wholeNumberIn({ min: 1, max: 3650 }, "days"));
  add("log-level", readLogLevel, "info");
  return command.option("--version").option("-h, --help");
}

/** Without the two dashes, npm takes an option for its own and the program would start without it. */
function refuseSwallowed(option: Option, environment: NodeJS.ProcessEnv): void {
  if (environment[`npm_config_${option.name().replaceAll("-", "_")}`] === undefined) return;
  throw new Problem(
    `npm kept --${option.name()} for itself: write two dashes before it, npm start -- ${option.flags}`,
  );
}
