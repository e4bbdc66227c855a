/** A report as `python -m e2e.laboratory figures` writes it, made up, for tests. */
import type { Group, Interval, LearnedFigure, LearnedReport, Row } from "./figures.ts";

export function interval(value: number, half: number): Interval {
  return { value, low: value - half, high: value + half };
}

export function figure(
  what: string,
  value: number | null,
  changes: Partial<LearnedFigure> = {},
): LearnedFigure {
  return { what, value, interval: null, unit: "", reach: null, has_to_be_sure: false, ...changes };
}

function row(name: string, megabits: number, p95Ms: number, isPolicy = false): Row {
  return {
    ...{ name, is_policy: isPolicy, scenarios: 120, reward: 0.5, utilisation: 0.9 },
    ...{ throughput_bits_per_s: megabits * 1e6, queueing_s: 0.02, queueing_p95_s: p95Ms / 1000 },
    ...{ latency_s: 0.06, loss_ratio: 0.01, share: null },
  };
}

function group(name: string, rows: readonly Row[], changes: Partial<Group> = {}): Group {
  return { name, rows, differences: [], note: "", reward: "", front: [], known_ratio: null, ...changes };
}

const FIXED = [row("Nuwa, k = 1", 4, 10), row("Nuwa, k = 2", 5, 40), row("Nuwa, k = 9", 8, 30)];

/** Nuwa-RL is shipped, Owl is not. */
export const REPORT: LearnedReport = {
  ...{ seeds: 5, traces: 21, missing_traces: ["Verizon-LTE-short"], sources_sha256: "50ace5" },
  titles: { "nuwa-rl": "Nuwa-RL", owl: "Owl" },
  policies: [
    {
      ...{ name: "nuwa-rl", title: "Nuwa-RL", scheme: "nuwa-rl" },
      ...{ model_bytes: 123_456, sha256: "0ddba11", seed: 2, steps: 400_000 },
    },
  ],
  parts: [
    {
      ...{ name: "rewards", title: "Each policy by its own reward", text: "Pairs <&> intervals." },
      groups: [
        group("Nuwa-RL", [row("Nuwa-RL", 6, 20, true), ...FIXED], {
          reward: "throughput < delay",
          differences: [
            {
              policy: "Nuwa-RL",
              rival: "Nuwa, k = 1",
              interval: interval(0.02, 0.01),
              is_to_be_beaten: true,
            },
            {
              policy: "Nuwa-RL",
              rival: "Nuwa, k = 9",
              interval: interval(0.04, 0.05),
              is_to_be_beaten: false,
            },
          ],
        }),
        group("Owl", [], { note: "not shipped" }),
      ],
      figures: [
        figure("Nuwa-RL's reward less Nuwa, k = 1's", 0.02, {
          ...{
            interval: interval(0.02, 0.01),
            reach: { comparison: "above", value: 0 },
            has_to_be_sure: true,
          },
        }),
        figure("Owl: not shipped", null),
      ],
    },
    {
      ...{ name: "front", title: "Nuwa-RL beside Nuwa", text: "The front." },
      groups: [
        group("4G", [row("Nuwa-RL", 6, 20, true), ...FIXED], { front: ["Nuwa, k = 1", "Nuwa, k = 9"] }),
      ],
      figures: [figure("above the front", -2, { unit: "%", reach: { comparison: "at least", value: 0 } })],
    },
    {
      ...{ name: "known-network", title: "Owl", text: "Shares." },
      groups: [
        group("Owl, 0 % known", [row("Owl", 6, 20, true), row("cubic", 5, 30)], { known_ratio: 0 }),
        group("Owl, 50 % known", [row("Owl", 7, 20, true), row("cubic", 5, 30)], { known_ratio: 0.5 }),
        group("Owl, PPO, 0 % known", [row("Owl, PPO", 8, 20, true)], { known_ratio: 0 }),
      ],
      figures: [figure("Owl, 0 % known: throughput of Owl", 6)],
    },
  ],
};
