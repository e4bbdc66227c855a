import type { Benchmark } from "./benchmark.ts";
import { charts } from "./charts.ts";
import { competition } from "./competition.ts";
import { constantLink } from "./constant-link.ts";
import { fairness } from "./fairness.ts";
import { fastLink } from "./fast-link.ts";
import { faults } from "./faults.ts";
import { fidelity } from "./fidelity.ts";
import { filmQoe } from "./film-qoe.ts";
import { learned } from "./learned.ts";
import { lighthouseScores } from "./lighthouse.ts";
import { loopbackCpu } from "./loopback-cpu.ts";
import { lteLink } from "./lte-link.ts";
import { pageWeight } from "./page-weight.ts";
import { relayCeiling } from "./relay-ceiling.ts";
import { relayFidelity } from "./relay-fidelity.ts";
import { startup } from "./startup.ts";
import { tableOne } from "./table-1.ts";
import { telemetryKills } from "./telemetry-kills.ts";

/** All benchmarks: a file each, and a line here. */
export const BENCHMARKS: readonly Benchmark[] = [
  constantLink,
  lteLink,
  filmQoe,
  loopbackCpu,
  startup,
  faults,
  pageWeight,
  lighthouseScores,
  charts,
  telemetryKills,
  relayCeiling,
  relayFidelity,
  fidelity,
  fastLink,
  fairness,
  competition,
  tableOne,
  learned,
];
