import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Feature, isLearned } from "./decision.ts";
import type { NuwaParameters } from "./nuwa.ts";
import { NuwaRl } from "./nuwa-rl.ts";
import type { Need, Phase, ReceiverScheme, Stamp } from "./receiver-scheme.ts";
import { RECEIVER_SCHEMES } from "./registry.ts";
import { WindowReceiver } from "./window-receiver.ts";

interface VectorStamp {
  sequence: number;
  epoch: number;
  phase: Phase;
  send_time_s: number;
  bytes_sent: number;
  packets_sent: number;
  smoothed_rtt_s: number | null;
  min_rtt_s: number | null;
  cwnd_bytes: number;
  max_datagram_bytes: number;
  is_app_limited: boolean;
}

interface VectorCase {
  name: string;
  parameters: {
    target_delay_s: number;
    rho_s: number;
    k: number;
    catches_up: boolean;
    follows_need?: boolean;
    as_in_paper?: boolean;
  };
  /** Of a learned receiver. */
  policy_space?: {
    features: (Omit<Feature, "isLogarithmic"> & { is_logarithmic: boolean; meaning: string })[];
    history: number;
    actions: { values: number[]; meaning: string };
    interval: string;
  };
  steps: {
    stamp: VectorStamp;
    received_time_s: number;
    /** How much earlier it may have arrived; absent where it did not. */
    late_s?: number;
    window_packets: number;
    /** What is asked for, with drains, contests and the need's bound. */
    window_bytes: number;
    raw_queueing_delay_s: number;
    queueing_delay_s: number;
    bandwidth_bits_per_s: number | null;
    target_delay_s: number | null;
    epochs_begun: number;
    /** The player told it before this stamp. */
    need?: { rate_bytes_per_s: number | null; buffer_s: number; full_buffer_s: number };
    wanted_bits_per_s?: number;
    is_held?: boolean;
    /** The receiver was told of a new epoch before this stamp. */
    told?: boolean;
    /** Of a learned receiver: when feedback was asked for, the request that it brought, and the answer given then. */
    feedback_s?: number;
    request?: { sequence: number; observation: number[] };
    answer?: { sequence: number; action: number | null };
    k?: number;
  }[];
}

/** What python -m cc.tests.record_receiver_vectors has recorded of a scheme. */
function casesOf(scheme: string): VectorCase[] {
  return JSON.parse(readFileSync(new URL(`./testdata/${scheme}.json`, import.meta.url), "utf8"));
}

function toStamp(stamp: VectorStamp): Stamp {
  return {
    sequence: stamp.sequence,
    epoch: stamp.epoch,
    phase: stamp.phase,
    sendTimeSeconds: stamp.send_time_s,
    bytesSent: stamp.bytes_sent,
    packetsSent: stamp.packets_sent,
    smoothedRttSeconds: stamp.smoothed_rtt_s,
    minRttSeconds: stamp.min_rtt_s,
    cwndBytes: stamp.cwnd_bytes,
    maxDatagramBytes: stamp.max_datagram_bytes,
    isAppLimited: stamp.is_app_limited,
  };
}

function toNeed({ rate_bytes_per_s, buffer_s, full_buffer_s }: NonNullable<VectorStep["need"]>): Need {
  return { rateBytesPerSecond: rate_bytes_per_s, bufferSeconds: buffer_s, fullBufferSeconds: full_buffer_s };
}

function expectClose(actual: number | null, recorded: number | null): void {
  const both = `${actual}, where Python recorded ${recorded}: its twin does otherwise, or was not recorded anew`;
  if (actual === null || recorded === null) {
    expect(actual, both).toBe(recorded);
  } else {
    expect(Math.abs(actual - recorded), both).toBeLessThanOrEqual(1e-12 + 1e-9 * Math.abs(recorded));
  }
}

type VectorStep = VectorCase["steps"][number];

/** The same stamps, whose counts pass 2^32 in the middle. */
function countedFromBeforeWrapping(steps: VectorStep[]): VectorStep[] {
  const middle = steps[Math.floor(steps.length / 2)]?.stamp;
  if (middle === undefined) throw new RangeError("a case without stamps");
  const moved = (count: number, first: number) => (count - first) >>> 0;
  return steps.map((step) => ({
    ...step,
    stamp: {
      ...step.stamp,
      sequence: moved(step.stamp.sequence, middle.sequence),
      packets_sent: moved(step.stamp.packets_sent, middle.packets_sent),
    },
  }));
}

function replay(receiver: ReceiverScheme, steps: VectorStep[]): void {
  if (!(receiver instanceof WindowReceiver)) throw new TypeError("the receiver asks for no windows");
  expect(steps.length).toBeGreaterThan(200);
  for (const step of steps) {
    if (step.told) receiver.startEpoch(step.received_time_s);
    if (step.need !== undefined) receiver.onNeed(toNeed(step.need), step.received_time_s);
    receiver.onStamp(toStamp(step.stamp), step.received_time_s, step.late_s);
    const state = receiver.state(step.received_time_s);
    expectClose(receiver.windowPackets, step.window_packets);
    expect(state.windowBytes).toBe(step.window_bytes);
    expectClose(state.rawQueueingDelaySeconds, step.raw_queueing_delay_s);
    expectClose(state.queueingDelaySeconds, step.queueing_delay_s);
    expect(receiver.epochsBegun).toBe(step.epochs_begun);
    expectClose(state.bandwidthBitsPerSecond, step.bandwidth_bits_per_s);
    expectClose(state.targetDelaySeconds, step.target_delay_s);
    expectClose(state.wantedBitsPerSecond, step.wanted_bits_per_s ?? null);
    expect(state.isHeld).toBe(step.is_held ?? false);
    if (step.feedback_s !== undefined) {
      receiver.feedback(step.feedback_s);
      replayDecision(receiver, step, step.feedback_s);
    }
  }
}

function replayDecision(receiver: WindowReceiver, step: VectorStep, nowSeconds: number): void {
  if (!isLearned(receiver)) throw new TypeError("the receiver asks no policy");
  if (step.request !== undefined) {
    expect(receiver.request?.sequence).toBe(step.request.sequence);
    for (const [index, value] of step.request.observation.entries()) {
      expectClose(receiver.request?.observation[index] ?? null, value);
    }
  }
  if (step.answer !== undefined) receiver.onDecision(step.answer.sequence, step.answer.action);
  expectClose(receiver.state(nowSeconds).k, step.k ?? null);
}

function toParameters({ parameters }: VectorCase): NuwaParameters {
  const { target_delay_s, rho_s, k, catches_up, follows_need = false, as_in_paper = false } = parameters;
  return {
    targetDelaySeconds: target_delay_s,
    rhoSeconds: rho_s,
    k,
    catchesUp: catches_up,
    followsNeed: follows_need,
    asInPaper: as_in_paper,
  };
}

/** By each receiver-driven scheme of cc/registry.py, whose vectors are its: variants have another policy alone. */
const VECTORS_OF: Record<string, string> = JSON.parse(
  readFileSync(new URL("./testdata/schemes.json", import.meta.url), "utf8"),
);

it("has a receiver for every receiver-driven scheme", () => {
  expect(new Set(Object.keys(RECEIVER_SCHEMES))).toEqual(new Set(Object.keys(VECTORS_OF)));
});

describe.each(Object.entries(RECEIVER_SCHEMES))("%s", (scheme, makeReceiver) => {
  it.each(casesOf(VECTORS_OF[scheme] ?? scheme))(
    "gives the windows that Python recorded: $name",
    (vectors) => {
      replay(makeReceiver(toParameters(vectors)), vectors.steps);
    },
  );
});

describe.each(Object.entries(RECEIVER_SCHEMES))("%s, whose stamps' counts wrap", (scheme, makeReceiver) => {
  it.each(casesOf(VECTORS_OF[scheme] ?? scheme))("gives the same windows: $name", (vectors) => {
    replay(makeReceiver(toParameters(vectors)), countedFromBeforeWrapping(vectors.steps));
  });
});

describe("nuwa-rl", () => {
  it.each(casesOf("nuwa-rl"))(
    "shows its policy what Python shows it: $name",
    ({ policy_space: recorded }) => {
      const { features, actions, ...others } = NuwaRl.policySpace;
      const meaning = expect.any(String); // for people, who read the card
      expect(recorded).toEqual({
        features: features.map(({ isLogarithmic, ...rest }) => ({
          ...rest,
          is_logarithmic: isLogarithmic,
          meaning,
        })),
        actions: { values: "values" in actions ? actions.values : [], meaning },
        ...others,
      });
    },
  );
});

describe("nuwa-rl without answers", () => {
  it.each(casesOf("nuwa"))("gives the windows of Nuwa: $name", (vectors) => {
    const receiver = new NuwaRl(toParameters(vectors));
    replay(receiver, vectors.steps);
    expect(receiver.state(0).k).toBe(vectors.parameters.k);
  });
});
