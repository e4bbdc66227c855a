/**
 * How flows are written: `NAME[*COUNT][@START[-STOP]][:KEY=VALUE]...`, several of them behind commas, or a bare number: so
 * many flows of the scheme under test. `self` is the scheme under test.
 */
import { OptionError } from "../browser/cell/options.ts";
import { type FlowPlan, INTERVAL_SECONDS, OMNISCIENT, type Source } from "./plan.ts";

/** Stands for the scheme under test. */
export const SELF = "self";

const MOST_FLOWS = 64;

/** A scheme as `--schemes` names it. */
export interface SchemeChoice {
  scheme: string;
  preset: string;
}

/** Names that may be chosen, and what is meant where nothing is said. */
export interface FlowContext {
  schemes: readonly string[];
  /** Those of them that presets say something to. */
  receiverDriven: readonly string[];
  presets: readonly string[];
  preset: string;
  durationSeconds: number;
}

/** `nuwa:preset=live`. */
export function parseScheme(text: string, context: FlowContext): SchemeChoice {
  const { name, settings } = splitSettings(text, "--schemes", ["preset"]);
  const scheme = knownScheme(name, context.schemes);
  return { scheme, preset: presetOf(scheme, settings.get("preset"), context) ?? context.preset };
}

/** A flow before scheme and link are known: its scheme may be `self`. */
export interface FlowTemplate extends Omit<FlowPlan, "preset" | "extraRttMs"> {
  /** null: that of the scheme under test, or the matrix's. */
  preset: string | null;
  /** Of its whole path without a queue; null: the link's. */
  rttMs: number | null;
}

/** `2`, or `self,cubic@10-40:rtt=80`. */
export function parseFlows(text: string, context: FlowContext): FlowTemplate[] {
  const templates = /^\d+$/.test(text)
    ? repeated(parseFlow(SELF, context), Number(text), text)
    : text.split(",").flatMap((flow) => parseFlowGroup(flow.trim(), context));
  if (templates.length < 1 || templates.length > MOST_FLOWS) {
    throw new OptionError(`--flows ${text}: give from 1 to ${MOST_FLOWS} flows`);
  }
  return templates;
}

function parseFlowGroup(text: string, context: FlowContext): FlowTemplate[] {
  const match = /^([^*@:]*)\*(\d+)(.*)$/s.exec(text);
  if (match === null) return [parseFlow(text, context)];
  return repeated(parseFlow(`${match[1]}${match[3]}`, context), Number(match[2]), text);
}

function repeated(template: FlowTemplate, count: number, text: string): FlowTemplate[] {
  if (count > MOST_FLOWS) throw new OptionError(`--flows ${text}: give from 1 to ${MOST_FLOWS} flows`);
  return new Array<FlowTemplate>(count).fill(template);
}

function parseFlow(text: string, context: FlowContext): FlowTemplate {
  const { name: head, settings } = splitSettings(text, "--flows", ["preset", "rtt", "source"]);
  const [name = "", times] = splitOnce(head, "@");
  const scheme = name === SELF ? SELF : knownScheme(name, context.schemes, SELF);
  const rtt = settings.get("rtt");
  return {
    scheme,
    preset: presetOf(scheme, settings.get("preset"), context),
    ...parseTimes(times, text, context.durationSeconds),
    rttMs: rtt === undefined ? null : positive(rtt, `--flows ${text}: rtt`, "ms"),
    source: parseSource(settings.get("source"), text),
  };
}

/** `10` or `10-40`, seconds, whole intervals. */
function parseTimes(times: string | undefined, flow: string, durationSeconds: number) {
  if (times === undefined) return { startSeconds: 0, stopSeconds: null };
  const [from = "", to] = splitOnce(times, "-");
  const startSeconds = seconds(from, flow);
  const stopSeconds = to === undefined ? null : seconds(to, flow);
  if (startSeconds >= (stopSeconds ?? durationSeconds) || (stopSeconds ?? 0) > durationSeconds) {
    throw new OptionError(
      `--flows ${flow}: a flow begins, then stops, within the run's ${durationSeconds} s`,
    );
  }
  return { startSeconds, stopSeconds };
}

function seconds(text: string, flow: string): number {
  const value = Number(text);
  const intervals = value / INTERVAL_SECONDS;
  const isWhole = Math.abs(intervals - Math.round(intervals)) < 1e-6;
  if (text.trim() === "" || !(value >= 0) || !isWhole) {
    throw new OptionError(`--flows ${flow}: "${text}" is no time: seconds, at most tenths of them`);
  }
  return Math.round(intervals) / Math.round(1 / INTERVAL_SECONDS);
}

/** `bulk`, or `on-off/BYTES/SECONDS`. */
function parseSource(text: string | undefined, flow: string): Source {
  if (text === undefined || text === "bulk") return { kind: "bulk" };
  const match = /^on-off\/(\d+)\/(\d+(?:\.\d+)?)$/.exec(text);
  if (match === null || Number(match[1]) < 1) {
    throw new OptionError(`--flows ${flow}: source=${text} is neither bulk nor on-off/BYTES/SECONDS`);
  }
  return { kind: "on-off", onBytes: Number(match[1]), offSeconds: Number(match[2]) };
}

/** Splits `name:key=value:key=value`; a colon that begins no setting belongs to the name. */
export function splitSettings(text: string, option: string, keys: readonly string[]) {
  const settings = new Map<string, string>();
  let name = text.trim();
  for (;;) {
    const match = /^(.*):([a-z]+)=([^:]*)$/s.exec(name);
    if (match === null) return { name, settings };
    const [, rest = "", key = "", value = ""] = match;
    if (!keys.includes(key)) {
      throw new OptionError(`${option} ${text}: "${key}" is no setting here; there is ${keys.join(", ")}`);
    }
    settings.set(key, value);
    name = rest;
  }
}

function knownScheme(name: string, schemes: readonly string[], ...more: string[]): string {
  if (schemes.includes(name) || name === OMNISCIENT) return name;
  throw new OptionError(
    `scheme "${name}" is unknown: choose of ${[...more, ...schemes, OMNISCIENT].join(", ")}`,
  );
}

/** null where none is named. */
function presetOf(scheme: string, preset: string | undefined, context: FlowContext): string | null {
  if (preset === undefined) return null;
  const { presets, receiverDriven } = context;
  if (!presets.includes(preset)) {
    throw new OptionError(`preset "${preset}" is unknown: choose of ${presets.join(", ")}`);
  }
  if (scheme !== SELF && !receiverDriven.includes(scheme)) {
    throw new OptionError(
      `preset=${preset}: ${scheme} has none, only receiver-driven schemes do: ${receiverDriven.join(", ")}`,
    );
  }
  return preset;
}

function positive(text: string, what: string, unit: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0)) throw new OptionError(`${what} ${text}: give a number of ${unit}`);
  return value;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
