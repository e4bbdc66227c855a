// Read before any package is installed: Node's own modules alone.
import { parseArgs } from "node:util";
import { versionLine } from "../version.mjs";

const SEE_HELP = "see npm start -- --help";
const WIDTH = 28;

/** Options of `npm start`; `value` is what stands in the help after the name, `preset` what holds without the option. */
export const START_OPTIONS = /** @type {const} */ ({
  port: { value: "number", summary: "port of the page; 0 takes a free one", preset: "8080" },
  host: {
    value: "address",
    summary: "address to listen on; :: is every one, 0.0.0.0 every one of IPv4",
    preset: "127.0.0.1; every one over HTTPS",
  },
  origin: {
    value: "url",
    summary: "another one of the page, such as a mapped port's: http://films.example:81",
    preset: "",
  },
  "public-url": {
    value: "url",
    summary: "where everybody opens the page, at a proxy with TLS: https://demo.example",
    preset: "",
  },
  "trust-proxy": {
    value: "addresses",
    summary: "of proxies on other machines that say who their clients are: 10.0.0.0/8",
    preset: "",
  },
  https: { value: "", summary: "over HTTPS on every address, with a certificate of our own", preset: "" },
  certificate: {
    value: "file",
    summary: "over HTTPS with this certificate (PEM, its issuers behind it)",
    preset: "",
  },
  key: { value: "file", summary: "of that certificate (PEM)", preset: "" },
  "session-key": {
    value: "file",
    summary: "the media server opens sessions for this server's pages alone, by tokens of this key",
    preset: "",
  },
  "udp-port": {
    value: "number",
    summary: "of the media server, 4433 with --public-url; workers and a link take the next ones",
    preset: "a free one",
  },
  token: {
    value: "text",
    summary:
      "asked of whoever changes the link, adds films or reads telemetry; by chance beyond this machine",
    preset: "",
  },
  film: {
    value: "film",
    summary: "a film's file, a packaged folder, an MPD or its URL; repeatable; without, a generated one",
    preset: "",
  },
  pull: {
    value: "",
    summary: "fetch a URL's segments through this server, to send them over QUIC",
    preset: "",
  },
  "play-while-encoding": {
    value: "",
    summary: "serve a film's file as soon as its first segments are there",
    preset: "",
  },
  ladder: { value: "rungs", summary: "to encode films to: 640x360@800k,1280x720@2.5M", preset: "" },
  codec: { value: "name", summary: "of the rungs besides H.264: hevc, av1", preset: "" },
  quality: {
    value: "",
    summary: "measure VMAF and SSIM of films' files (or the demo film) first: rule nuwa-vmaf plans by it",
    preset: "",
  },
  scheme: { value: "name", summary: "congestion control that the page starts with", preset: "" },
  preset: {
    value: "name",
    summary: "receiver's settings that the page starts with: target delay and more",
    preset: "",
  },
  rule: { value: "name", summary: "adaptation rule that the page starts with", preset: "" },
  link: {
    value: "name|rate|file",
    summary: "link to emulate: a name, 24mbit, a trace, none",
    preset: "steps; none for others",
  },
  delay: { value: "ms", summary: "of an emulated link, each way", preset: "20" },
  queue: { value: "packets", summary: "of an emulated link", preset: "300" },
  loss: { value: "ratio", summary: "share of packets that it loses", preset: "0" },
  "lane-each": {
    value: "",
    summary: "each session has the emulated link alone; without, all that are open share it",
    preset: "",
  },
  cmcd: {
    value: "url",
    summary: "where pages report by CMCD, too: a collector, or /api/telemetry/cmcd of this server",
    preset: "",
  },
  workers: { value: "number", summary: "processes of the media server", preset: "the cores" },
  "shared-port": {
    value: "",
    summary: "one UDP port for all of these, on Linux; without, each has its own",
    preset: "",
  },
  "session-rate-mbit": { value: "rate", summary: "send no faster than this to one session", preset: "" },
  "total-rate-mbit": {
    value: "rate",
    summary: "send no faster than this to all sessions together",
    preset: "",
  },
  schemes: { value: "list", summary: "schemes that viewers may choose, as kuafu,nuwa,cubic", preset: "all" },
  "in-flight-mib": {
    value: "number",
    summary: "keep no more in flight for all sessions of a media server's process together",
    preset: "12",
  },
  data: {
    value: "directory",
    summary: "where telemetry and viewers' films are kept",
    preset: ".data in the clone",
  },
  "no-telemetry": { value: "", summary: "take and keep no telemetry", preset: "" },
  "telemetry-days": {
    value: "number",
    summary: "erase telemetry's sessions so many days after they began",
    preset: "while there is room",
  },
  "log-level": { value: "level", summary: "error, warn, info, debug", preset: "info" },
});

/** @param {string} name @returns {string} the variable that stands for an option */
export function variableOf(name) {
  return `NUWA_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** @param {string} name @param {string} value @returns {string} as it is written; without a value it stands alone */
export function flagOf(name, value) {
  return value === "" ? `--${name}` : `--${name} <${value}>`;
}

/** @returns {string} the options as a table */
export function optionsHelp() {
  const rows = Object.entries(START_OPTIONS).map(([name, { value, summary, preset }]) => {
    const known = [preset === "" ? "" : `default: ${preset}`, `env: ${variableOf(name)}`].filter(Boolean);
    return `  ${flagOf(name, value).padEnd(WIDTH)} ${summary} (${known.join(", ")})`;
  });
  return [
    "Usage: npm start -- [options]",
    "",
    "Plays a film in the browser over QUIC, with the congestion control in the browser's hands.",
    "",
    "Options:",
    ...rows,
    `  ${"--version".padEnd(WIDTH)} which version this is, and of which commit`,
    `  ${"-h, --help".padEnd(WIDTH)} this text`,
    "",
  ].join("\n");
}

/**
 * Answers what needs no package: `--help`, `--version`, and an option that there is not.
 *
 * @param {readonly string[]} args
 * @param {{stdout: {write(text: string): unknown}, stderr: {write(text: string): unknown}}} [output]
 * @returns {number | null} exit code; null where there is more to do
 */
export function answerStart(args, { stdout, stderr } = process) {
  /** @type {Record<string, {type: "string" | "boolean", short?: string}>} */
  const options = { help: { type: "boolean", short: "h" }, version: { type: "boolean" } };
  for (const [name, { value }] of Object.entries(START_OPTIONS))
    options[name] = { type: value === "" ? "boolean" : "string" };
  try {
    const { help, version } = parseArgs({ args: [...args], options }).values;
    if (help !== true) {
      if (version !== true) return null;
      stdout.write(versionLine());
      return 0;
    }
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return null; // judged with all other values
    const [sentence = ""] = message.split(". ");
    stderr.write(`nuwa-stream: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}: ${SEE_HELP}\n`);
    return 2;
  }
  stdout.write(
    `${optionsHelp()}\nSchemes, presets, rules and links are listed once npm packages are there: npm ci\n`,
  );
  return 0;
}
