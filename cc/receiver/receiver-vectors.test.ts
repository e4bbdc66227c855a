import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Phase, Stamp } from "./receiver-scheme.ts";
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
  parameters: { target_delay_s: number; rho_s: number; k: number };
  steps: {
    stamp: VectorStamp;
    received_time_s: number;
    window_packets: number;
    raw_queueing_delay_s: number;
    queueing_delay_s: number;
    bandwidth_bits_per_s: number | null;
    epochs_begun: number;
    /** The receiver was told of a new epoch before this stamp. */
    told?: boolean;
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

function expectClose(actual: number | null, expected: number | null): void {
  if (actual === null || expected === null) {
    expect(actual).toBe(expected);
  } else {
    expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 + 1e-9 * Math.abs(expected));
  }
}

describe.each(Object.entries(RECEIVER_SCHEMES))("%s", (scheme, makeReceiver) => {
  it.each(casesOf(scheme))("gives the windows that Python recorded: $name", ({ parameters, steps }) => {
    const receiver = makeReceiver({
      targetDelaySeconds: parameters.target_delay_s,
      rhoSeconds: parameters.rho_s,
      k: parameters.k,
    });
    if (!(receiver instanceof WindowReceiver)) throw new TypeError(`${scheme} asks for no windows`);
    expect(steps.length).toBeGreaterThan(200);
    for (const step of steps) {
      if (step.told) receiver.startEpoch(step.received_time_s);
      receiver.onStamp(toStamp(step.stamp), step.received_time_s);
      const state = receiver.state(step.received_time_s);
      expectClose(receiver.windowPackets, step.window_packets);
      expectClose(state.rawQueueingDelaySeconds, step.raw_queueing_delay_s);
      expectClose(state.queueingDelaySeconds, step.queueing_delay_s);
      expect(receiver.epochsBegun).toBe(step.epochs_begun);
      expectClose(state.bandwidthBitsPerSecond, step.bandwidth_bits_per_s);
    }
  });
});
