import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { PresetName, RuleName, SchemeName } from "../../../player/src/options/names.ts";
import { LINK_DEFAULTS, LINK_LIMITS } from "../../../server/link/link-limits.ts";
import { BROWSER_KINDS } from "../browsers/program.ts";
import {
  type CellParameters,
  DEFAULTS,
  type EmulatedLink,
  type FilmWorkload,
  OUR_MEDIA_SERVER,
  type Workload,
} from "./parameters.ts";

/** An option that makes no sense; the message is one sentence that names it. */
export class OptionError extends Error {}

/** Names that the options may take, from the registries. */
export interface KnownNames {
  schemes: readonly SchemeName[];
  presets: readonly PresetName[];
  rules: readonly RuleName[];
}

const OPTIONS = {
  browser: { type: "string", default: "chromium" },
  scheme: { type: "string", default: "nuwa" },
  preset: { type: "string", default: "on-demand" },
  rule: { type: "string", default: "nuwa" },
  estimator: { type: "string", default: "receiver" },
  k: { type: "string" },
  "target-delay": { type: "string" },
  link: { type: "string", default: "24mbit" },
  delay: { type: "string", default: String(LINK_DEFAULTS.delayMs) },
  queue: { type: "string", default: String(LINK_DEFAULTS.queuePackets) },
  loss: { type: "string", default: String(LINK_DEFAULTS.lossRatio) },
  via: { type: "string", default: "mahimahi" },
  seconds: { type: "string", default: "60" },
  "open-at": { type: "string" },
  "until-end": { type: "boolean", default: false },
  bulk: { type: "string" },
  film: { type: "string" },
  seed: { type: "string", default: "1" },
  "max-datagram-bytes": { type: "string" },
  output: { type: "string" },
  check: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** What is to be done with a cell: show how to ask for one, say whether the options make sense, or run it. */
export type Asked =
  | { readonly kind: "help" }
  | { readonly kind: "check" | "run"; readonly cell: CellParameters };

/** What the arguments ask for. @throws OptionError */
export function parseOptions(args: readonly string[], known: KnownNames): Asked {
  const values = parse(args);
  if (values.help) return { kind: "help" };
  return { kind: values.check ? "check" : "run", cell: readCell(values, known) };
}

function readCell(values: Values, known: KnownNames): CellParameters {
  const seed = number("seed", values.seed, { min: 1, max: 2 ** 31 });
  if (!Number.isInteger(seed)) throw new OptionError(`--seed ${values.seed}: give a whole number`);
  const workload = readWorkload(values);
  const link = readLink(values, seed);
  return {
    ...DEFAULTS,
    browser: oneOf("browser", values.browser, BROWSER_KINDS),
    scheme: oneOf("scheme", values.scheme, known.schemes),
    preset: oneOf("preset", values.preset, known.presets),
    rule: oneOf("rule", values.rule, known.rules),
    estimator: oneOf("estimator", values.estimator, ["receiver", "dashjs"] as const),
    k: values.k === undefined ? null : number("k", values.k, { min: 1, max: 9 }),
    targetDelayMs:
      values["target-delay"] === undefined
        ? null
        : number("target-delay", values["target-delay"], { min: 1, max: 10_000 }),
    link,
    openAtLinkSeconds:
      values["open-at"] === undefined ? null : number("open-at", values["open-at"], { min: 0, max: 600 }),
    workload,
    name: [values.scheme, workload.kind, link?.trace ?? "loopback"].join("-").replace(/[^\w.-]+/g, "_"),
    outputDirectory: values.output === undefined ? null : resolve(values.output),
    mediaServer: [...OUR_MEDIA_SERVER, "--seed", values.seed, ...datagramLimit(values)],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new OptionError(`${error.message.split(". ")[0]}; see --help`);
    throw error;
  }
}

type Values = ReturnType<typeof parse>;

function datagramLimit(values: Values): readonly string[] {
  const option = "max-datagram-bytes";
  const text = values[option];
  return text === undefined ? [] : [`--${option}`, String(number(option, text, { min: 1200, max: 1472 }))];
}

function readLink(values: Values, seed: number): EmulatedLink | null {
  const delayMs = number("delay", values.delay, LINK_LIMITS.delayMs);
  const queuePackets = number("queue", values.queue, LINK_LIMITS.queuePackets);
  const lossRatio = number("loss", values.loss, LINK_LIMITS.loss);
  if (!Number.isInteger(delayMs)) throw new OptionError(`--delay ${values.delay}: mahimahi takes whole ms`);
  if (!Number.isInteger(queuePackets)) throw new OptionError(`--queue ${values.queue}: give whole packets`);
  const via = oneOf("via", values.via, ["mahimahi", "relay"] as const);
  return values.link === "none" ? null : { trace: values.link, delayMs, queuePackets, lossRatio, seed, via };
}

function readWorkload(values: Values): Workload {
  if (values.bulk !== undefined) {
    if (values.film !== undefined) throw new OptionError("give either --bulk or --film, not both");
    return { kind: "bulk", bytes: number("bulk", values.bulk, { min: 1, max: 1e12 }) };
  }
  if (values.film !== undefined && !existsSync(values.film)) {
    throw new OptionError(`--film ${values.film}: there is no such file`);
  }
  return {
    kind: "film",
    source: values.film === undefined ? { kind: "demo" } : sourceOf(values.film),
    watchSeconds: number("seconds", values.seconds, { min: 1, max: 86_400 }),
    stopsAtEnd: values["until-end"],
    seeks: [],
  };
}

function sourceOf(film: string): FilmWorkload["source"] {
  const path = resolve(film);
  if (!statSync(path).isDirectory()) return { kind: "file", path };
  if (existsSync(join(path, "presentation.json"))) return { kind: "packaged", directory: path };
  throw new OptionError(`--film ${film}: no film that npm run package-film made lies there`);
}

/** @throws OptionError */
export function number(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= min && value <= max)) {
    throw new OptionError(`--${name} ${text}: give a number from ${min} to ${max}`);
  }
  return value;
}

/** @throws OptionError listing the names */
export function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value);
  if (found === undefined) throw new OptionError(`--${option} ${value}: choose one of ${names.join(", ")}`);
  return found;
}

export function usage(known: KnownNames): string {
  return `Plays the film, or downloads, once over one link, and leaves a bundle that describes the run.

  npm run e2e -- [options]

  --browser NAME     ${BROWSER_KINDS.join(", ")} (chromium)
  --scheme NAME      congestion control: ${known.schemes.join(", ")} (nuwa)
  --preset NAME      the receiver's: ${known.presets.join(", ")} (on-demand)
  --k NUMBER         the receiver's aggressiveness, 1 to 9 (the preset's)
  --target-delay MS  the receiver's target delay (the preset's)
  --rule NAME        adaptation: ${known.rules.join(", ")} (nuwa)
  --estimator NAME   whose estimate the adaptation uses: receiver, dashjs (receiver)
  --link LINK        a recorded trace (Verizon-LTE-short), a generated one (lte-like), a trace file of any format that
                     npm run trace reads, a rate (24mbit), or none: loopback without mahimahi (24mbit)
  --via NAME         what emulates the link: mahimahi, relay (mahimahi)
  --delay MS         each way, up to ${LINK_LIMITS.delayMs.max} (${LINK_DEFAULTS.delayMs})
  --queue PACKETS    the downlink's droptail queue, up to ${LINK_LIMITS.queuePackets.max} (${LINK_DEFAULTS.queuePackets})
  --loss RATIO       of the downlink, up to ${LINK_LIMITS.loss.max} (${LINK_DEFAULTS.lossRatio})
  --seconds SECONDS  how long to watch, from the first frame (60)
  --until-end        watch no longer than until the film's end
  --open-at S        let the loaded page open its session so long after the link's time began (as soon as it can)
  --film FILE        any film ffmpeg reads, or the folder of a packaged one (the demo film)
  --bulk BYTES       download that much instead of playing a film
  --seed N           of the schemes' random numbers and of the relay's losses (1)
  --max-datagram-bytes N  up to which size the media server looks for larger datagrams, 1200 to 1472 (1472)
  --check            says whether these options make sense, and runs nothing
  --output DIR       where to put the bundle (.build/e2e/TIME-NAME)
  --help             this text
`;
}
