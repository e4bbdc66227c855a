/**
 * A film over a link in a few milliseconds: a player's buffer, a rule as it is, and a link that carries what its trace
 * says. No congestion control, no dash.js: what `npm run bench -- films` has. Good for comparing constants of a rule.
 */

import { TOP_QUALITY_BUFFER_SECONDS } from "../../player/src/dash/player-settings.ts";
import { BandwidthHistory, type OutlookTimes } from "../../player/src/rules/bandwidth-outlook.ts";
import type { OwnRule, PastDownload, RuleContext } from "../../player/src/rules/rule.ts";
import { SegmentSizes } from "../../player/src/rules/segment-sizes.ts";

/** A link's rate in bins of 100 ms; it repeats. */
export interface QuickLink {
  readonly family: string;
  readonly name: string;
  readonly bitsPerSecond: readonly number[];
}

export interface QuickFilmPlan {
  readonly rule: Pick<OwnRule, "decide" | "abandon">;
  readonly times: OutlookTimes;
  readonly link: QuickLink;
  /** Place in the link, bins. */
  readonly start: number;
  readonly ladderBitsPerSecond: readonly number[];
  readonly segmentSeconds: number;
  /** Of each segment over its nominal size. */
  readonly complexity: readonly number[];
  readonly bufferTargetSeconds: number;
  /** Uniform in [0, 1): of the estimate's errors. */
  readonly random: () => number;
}

export interface QuickFilm {
  readonly bitsPerSecond: readonly number[];
  readonly stallSeconds: number;
  readonly decisionMs: number;
  readonly longestDecisionMs: number;
  readonly abandoned: number;
}

const BIN = 0.1;
const ROUND_TRIP = 0.05;
/** What of a link's opportunities is a segment's bytes. */
const USED = 0.92;
const AUDIO_BITS_PER_SECOND = 128_000;
/** Spread of the estimate's log errors, and how much of one is left a bin later. */
const ESTIMATE_SPREAD = 0.15;
const ESTIMATE_KEPT = 0.9;
/** Bins of which an estimate tells. */
const ESTIMATE_BINS = 3;
const REMEMBERED = 20;
const MOST_SECONDS = 1200;

export function quickFilm(plan: QuickFilmPlan): QuickFilm {
  return new Playing(plan).play();
}

class Playing {
  readonly #plan: QuickFilmPlan;
  readonly #history: BandwidthHistory;
  readonly #sizes = new SegmentSizes();
  readonly #past: PastDownload[] = [];
  readonly #throughputs: number[] = [];
  readonly #fetched: number[] = [];
  #bin = 0;
  #buffer = 0;
  #hasStarted = false;
  #stall = 0;
  #error = 0;
  #decisionMs = 0;
  #longestMs = 0;
  #abandoned = 0;

  constructor(plan: QuickFilmPlan) {
    this.#plan = plan;
    this.#history = new BandwidthHistory(plan.times);
  }

  play(): QuickFilm {
    const { complexity, ladderBitsPerSecond: ladder, bufferTargetSeconds, segmentSeconds } = this.#plan;
    let current: number | null = null;
    this.#wait(0.3, true); // the initialization segments
    for (let segment = 0; segment < complexity.length; segment++) {
      const target =
        current === ladder.length - 1
          ? Math.max(bufferTargetSeconds, TOP_QUALITY_BUFFER_SECONDS)
          : bufferTargetSeconds;
      while (this.#buffer >= target) this.#wait(BIN, false);
      let index = this.#decide(this.#context(segment, current));
      while (true) {
        const replaced = this.#download(segment, index, current);
        if (replaced === null) break;
        index = replaced;
        this.#abandoned += 1;
      }
      this.#buffer += segmentSeconds;
      this.#hasStarted = true;
      current = index;
      this.#fetched.push(ladder[index] ?? 0);
      if (this.#bin * BIN > MOST_SECONDS) break;
    }
    return {
      bitsPerSecond: this.#fetched,
      stallSeconds: this.#stall,
      decisionMs: this.#decisionMs,
      longestDecisionMs: this.#longestMs,
      abandoned: this.#abandoned,
    };
  }

  #decide(context: RuleContext): number {
    const before = performance.now();
    const { index } = this.#plan.rule.decide(context);
    const took = performance.now() - before;
    this.#decisionMs += took;
    this.#longestMs = Math.max(this.#longestMs, took);
    return index;
  }

  #bits(segment: number, index: number): number {
    const { complexity, ladderBitsPerSecond: ladder, segmentSeconds } = this.#plan;
    return (complexity[segment] ?? 1) * (ladder[index] ?? 0) * segmentSeconds;
  }

  #expected(): number[][] {
    const { ladderBitsPerSecond: ladder, segmentSeconds } = this.#plan;
    return ladder.map((nominal) => [this.#sizes.expectedBits(nominal, segmentSeconds)]);
  }

  #context(segment: number, current: number | null): RuleContext {
    return {
      ladderBitsPerSecond: this.#plan.ladderBitsPerSecond,
      currentIndex: current,
      segmentSeconds: this.#plan.segmentSeconds,
      bufferSeconds: this.#buffer,
      bufferTargetSeconds: this.#plan.bufferTargetSeconds,
      outlook: this.#history.outlook(),
      segmentBits: this.#expected(),
      segmentVmaf: null,
      remainingSegments: this.#plan.complexity.length - segment,
      pastDownloads: this.#past,
      segmentThroughputsBitsPerSecond: this.#throughputs,
      queueingDelaySeconds: 0,
      targetDelaySeconds: null,
      roundTripSeconds: ROUND_TRIP,
      otherBitsPerSecond: AUDIO_BITS_PER_SECOND,
    };
  }

  /** null when it has come; the rung to fetch instead where it was given up. */
  #download(segment: number, index: number, previous: number | null): number | null {
    const { rule, segmentSeconds } = this.#plan;
    const outlook = this.#history.outlook();
    const bits = this.#bits(segment, index) + AUDIO_BITS_PER_SECOND * segmentSeconds;
    const startedAt = this.#bin * BIN;
    let loaded = 0;
    let silent = 0;
    let latency = ROUND_TRIP;
    while (true) {
      const came = this.#rate() * (BIN - latency);
      latency = 0;
      const missing = bits - loaded;
      if (came >= missing) {
        this.#pass(BIN, true);
        const seconds = this.#bin * BIN - startedAt - BIN * (1 - missing / came);
        this.#remember(index, bits, seconds, outlook);
        return null;
      }
      loaded += came;
      silent = came > 0 ? 0 : silent + BIN;
      this.#pass(BIN, came > 0);
      if (this.#bin * BIN > MOST_SECONDS) return null;
      const decision = rule.abandon?.({
        ladderBitsPerSecond: this.#plan.ladderBitsPerSecond,
        index,
        previousIndex: previous,
        segmentSeconds,
        elapsedSeconds: this.#bin * BIN - startedAt,
        silentSeconds: silent,
        loadedBytes: loaded / 8,
        totalBytes: loaded > 0 ? bits / 8 : null,
        bufferSeconds: this.#buffer,
        outlook: this.#history.outlook(),
        segmentBits: this.#expected(),
        segmentVmaf: null,
        pastDownloads: this.#past,
        roundTripSeconds: ROUND_TRIP,
        otherBitsPerSecond: AUDIO_BITS_PER_SECOND,
      });
      if (decision !== null && decision !== undefined) return decision.index;
    }
  }

  #remember(index: number, bits: number, seconds: number, outlook: PastDownload["outlook"] | null): void {
    const { ladderBitsPerSecond: ladder, segmentSeconds } = this.#plan;
    const audio = AUDIO_BITS_PER_SECOND * segmentSeconds;
    const own = bits - audio;
    const expectedBits = this.#sizes.expectedBits(ladder[index] ?? 0, segmentSeconds) + audio;
    this.#sizes.add(ladder[index] ?? 0, segmentSeconds, own);
    this.#throughputs.push(own / seconds);
    if (this.#throughputs.length > REMEMBERED) this.#throughputs.shift();
    if (outlook === null) return;
    this.#past.push({ expectedBits, seconds, roundTripSeconds: ROUND_TRIP, outlook });
    if (this.#past.length > REMEMBERED) this.#past.shift();
  }

  #rate(): number {
    const { link, start } = this.#plan;
    return USED * (link.bitsPerSecond[(start + this.#bin) % link.bitsPerSecond.length] ?? 0);
  }

  #wait(seconds: number, isDelivering: boolean): void {
    for (let passed = 0; passed < seconds - 1e-9; passed += BIN) this.#pass(BIN, isDelivering);
  }

  /** Time passes: the film plays, and the receiver measures while anything is delivered. */
  #pass(seconds: number, isDelivering: boolean): void {
    const { link, start, random } = this.#plan;
    this.#bin += 1;
    if (this.#hasStarted) {
      this.#stall += Math.max(0, seconds - this.#buffer);
      this.#buffer = Math.max(0, this.#buffer - seconds);
    }
    const spread = ESTIMATE_SPREAD * Math.sqrt(1 - ESTIMATE_KEPT ** 2);
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    this.#error = ESTIMATE_KEPT * this.#error + spread * normal;
    if (!isDelivering) return;
    let sum = 0;
    for (let back = 1; back <= ESTIMATE_BINS; back++) {
      const at = (start + this.#bin - back + link.bitsPerSecond.length) % link.bitsPerSecond.length;
      sum += link.bitsPerSecond[at] ?? 0;
    }
    const estimate = ((USED * sum) / ESTIMATE_BINS) * Math.exp(this.#error);
    if (estimate > 0) this.#history.add(this.#bin * BIN, estimate, true);
  }
}
