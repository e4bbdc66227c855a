import { createHash } from "node:crypto";
import type { Discipline } from "../browser/link/discipline.ts";

/** Where a run takes place: in virtual time, over the relay of `transport/`, or over mahimahi. */
export type Place = "simulation" | "relay" | "mahimahi";
export const PLACES: readonly Place[] = ["simulation", "relay", "mahimahi"];

/** When the receiver acknowledges; emulated receivers do it as Chromium does. */
export type AckPolicy = "chromium" | "every-packet" | "every-second";
export const ACK_POLICIES: readonly AckPolicy[] = ["chromium", "every-packet", "every-second"];

/** Length of the intervals in which a run is recorded. */
export const INTERVAL_SECONDS = 0.1;

/** Full packets, UDP payload: `MAX_DATAGRAM_BYTES` of transport/media_server/server.py. */
export const PACKET_BYTES = 1200;

/** The scheme that knows the link; it exists in simulation alone, as what the others are held against. */
export const OMNISCIENT = "omniscient";

/** Raised when what a row file holds, or what its figures mean, changes. */
const FORMAT = 2;

/** The link of a run: a trace and what surrounds it. */
export interface LinkPlan {
  /** Of the trace; the file's, without folders, where it is one. */
  name: string;
  /** Of the traces as mahimahi would get them. */
  downlinkSha256: string;
  uplinkSha256: string;
  /** Where in the downlink's trace the run begins. */
  startMs: number;
  /** Each way. */
  delayMs: number;
  discipline: Discipline;
  /** null is no limit. */
  queuePackets: number | null;
  /** Share of downlink packets lost at random behind the queue. */
  lossRatio: number;
}

/** What a flow has to send. */
export type Source = { kind: "bulk" } | { kind: "on-off"; onBytes: number; offSeconds: number };

export interface FlowPlan {
  scheme: string;
  /** The receiver's, for schemes that it drives. */
  preset: string;
  startSeconds: number;
  /** null: until the run ends. */
  stopSeconds: number | null;
  /** Of its path without a queue, above that of the link. */
  extraRttMs: number;
  source: Source;
}

/** One side of a comparison: the flows that share the link in a run. */
export interface Arm {
  /** As the report calls it. */
  name: string;
  flows: readonly FlowPlan[];
}

/** One run, in full: two runs with equal plans and equal sources may stand for each other. */
export interface RunPlan {
  place: Place;
  link: LinkPlan;
  arm: Arm;
  seed: number;
  durationSeconds: number;
  acks: AckPolicy;
}

/**
 * Names a run's row file. The arm's name is not part of it: it changes nothing.
 *
 * @param sources hash of the programs that make the run
 */
export function planKey({ arm, ...plan }: RunPlan, sources: string): string {
  const identity = { format: FORMAT, interval: INTERVAL_SECONDS, sources, ...plan, flows: arm.flows };
  return createHash("sha256").update(canonicalJson(identity)).digest("hex").slice(0, 24);
}

/** JSON whose text does not depend on the order in which fields were set. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => {
    if (typeof field !== "object" || field === null || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** What a run is called on the terminal and in error messages. */
export function describeRun({ place, link, arm, seed }: RunPlan): string {
  return `${arm.name} over ${link.name} (${place}), seed ${seed}`;
}

/** A flow as a legend calls it. */
export function describeFlow({ scheme, startSeconds, stopSeconds, extraRttMs, source }: FlowPlan): string {
  const until = stopSeconds === null ? "" : ` to ${stopSeconds}`;
  const parts = [
    scheme,
    ...(startSeconds === 0 && stopSeconds === null ? [] : [`from ${startSeconds}${until} s`]),
    ...(extraRttMs === 0 ? [] : [`RTT ${extraRttMs} ms longer`]),
    ...(source.kind === "bulk" ? [] : [`${source.onBytes} bytes, then ${source.offSeconds} s of pause`]),
  ];
  return parts.join(", ");
}
