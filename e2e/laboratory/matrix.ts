import { OptionError } from "../browser/cell/options.ts";
import type { TracePair } from "../browser/link/trace.ts";
import { type FlowTemplate, type SchemeChoice, SELF } from "./flow-syntax.ts";
import type { LinkChoice, MatrixRequest } from "./options.ts";
import { type Arm, type FlowPlan, type LinkPlan, OMNISCIENT, type Place, type RunPlan } from "./plan.ts";
import { parseOpportunities, startOfSeed } from "./trace-window.ts";

/** When a link may deliver, ms. */
export interface RunTraces {
  /** The downlink's. */
  opportunitiesMs: readonly number[];
  /** The uplink's. */
  returnOpportunitiesMs: readonly number[];
}

/** A link as it was asked for, with its traces. */
export interface LoadedLink extends RunTraces {
  choice: LinkChoice;
  traces: TracePair;
}

export function loadedLink(choice: LinkChoice, traces: TracePair): LoadedLink {
  return {
    ...{ choice, traces },
    opportunitiesMs: parseOpportunities(traces.downlink),
    returnOpportunitiesMs: parseOpportunities(traces.uplink),
  };
}

/** Runs that differ in nothing but scheme and seed: what one chart compares. */
export interface Condition {
  place: Place;
  link: LoadedLink;
  arms: readonly Arm[];
  runs: readonly RunPlan[];
  /** What a sender that knows the link would get, one run for each seed; always simulated. */
  references: readonly RunPlan[];
}

/** Everything that is to be run. In each condition every other seed goes through the arms backwards, so that what drifts meets all alike. */
export function expandMatrix(request: MatrixRequest, links: readonly LoadedLink[]): Condition[] {
  return links.flatMap((link) => request.places.map((place) => conditionOf(request, place, link)));
}

function conditionOf(request: MatrixRequest, place: Place, link: LoadedLink): Condition {
  const arms = armsOf(request, link.choice, place);
  const seeds = Array.from({ length: request.seeds }, (_, index) => index + 1);
  const runOf = (arm: Arm, seed: number, at: Place): RunPlan => ({
    ...{ place: at, arm, seed, link: linkPlan(request, link, seed) },
    ...{ durationSeconds: request.durationSeconds, acks: request.acks },
  });
  const runs = seeds.flatMap((seed) =>
    (seed % 2 === 1 ? arms : arms.toReversed()).map((arm) => runOf(arm, seed, place)),
  );
  const isTested = arms.some(({ flows }) => flows.length === 1 && flows[0]?.scheme === OMNISCIENT);
  const references = isTested ? [] : seeds.map((seed) => runOf(referenceArm(request), seed, "simulation"));
  return { place, link, arms, runs, references };
}

function linkPlan(
  request: MatrixRequest,
  { choice, traces, opportunitiesMs }: LoadedLink,
  seed: number,
): LinkPlan {
  const { trace: _, ...settings } = choice;
  return {
    ...settings,
    name: traces.name, // without the folders of a file
    downlinkSha256: traces.downlinkSha256,
    uplinkSha256: traces.uplinkSha256,
    startMs: request.spreadsStarts ? startOfSeed(seed, opportunitiesMs.at(-1) ?? 0) : 0,
  };
}

function referenceArm({ preset }: MatrixRequest): Arm {
  const bulk = { startSeconds: 0, stopSeconds: null, extraRttMs: 0, source: { kind: "bulk" } } as const;
  return { name: OMNISCIENT, flows: [{ scheme: OMNISCIENT, preset, ...bulk }] };
}

function armsOf(request: MatrixRequest, link: LinkChoice, place: Place): Arm[] {
  const { schemes, flows, flowsText, preset } = request;
  const arms =
    schemes.length === 0
      ? [{ name: flowsText, flows: flows.map((flow) => flowOf(flow, { scheme: SELF, preset }, link)) }]
      : schemes.map((choice) => ({
          name: choice.preset === preset ? choice.scheme : `${choice.scheme} (${choice.preset})`,
          flows: flows.map((flow) => flowOf(flow, choice, link)),
        }));
  const twice = arms.find(({ name }, index) => arms.findIndex((arm) => arm.name === name) !== index);
  if (twice !== undefined) throw new OptionError(`--schemes: ${twice.name} is there twice`);
  if (place === "simulation") return arms;
  const omniscient = arms.find((arm) => arm.flows.some(({ scheme }) => scheme === OMNISCIENT));
  if (omniscient !== undefined) {
    throw new OptionError(
      `${OMNISCIENT} exists in simulation alone, not on ${place}; every report shows it anyway`,
    );
  }
  return arms;
}

function flowOf({ rttMs, ...template }: FlowTemplate, self: SchemeChoice, link: LinkChoice): FlowPlan {
  const extraRttMs = rttMs === null ? 0 : rttMs - 2 * link.delayMs;
  if (extraRttMs < 0) {
    throw new OptionError(
      `--flows: rtt=${rttMs} is less than the ${2 * link.delayMs} ms of the link ${link.trace}`,
    );
  }
  const isSelf = template.scheme === SELF;
  return {
    ...template,
    scheme: isSelf ? self.scheme : template.scheme,
    preset: template.preset ?? self.preset,
    extraRttMs,
  };
}

/** The arm that the others are compared with. */
export function baselineOf(request: MatrixRequest, arms: readonly Arm[]): Arm {
  const { baseline } = request;
  const found = baseline === null ? arms[0] : arms.find(({ name }) => name === baseline);
  if (found !== undefined) return found;
  throw new OptionError(`--baseline ${baseline}: choose one of ${arms.map(({ name }) => name).join(", ")}`);
}
