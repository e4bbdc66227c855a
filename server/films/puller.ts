import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addressGroup } from "../connections/address-group.ts";
import { Refusal } from "../errors.ts";
import { type KeptLimits, KeptParts } from "./kept-parts.ts";
import { availabilityStartTimeOf } from "./manifest-facts.ts";
import { isMediaPath } from "./media-path.ts";
import { pullFile } from "./pulled-file.ts";
import type { SpareDisk } from "./spare-disk.ts";
import { type TurnLimits, Turns } from "./turns.ts";

export interface PullLimits extends KeptLimits, TurnLimits {
  readonly timeoutMs: number;
  /** Parts of which it is remembered that the other server did not have them. */
  readonly absent: number;
}

/** Two addresses leave turns to others. A file counts enough for a film to have 262,144 at most. */
export const PULL_LIMITS: PullLimits = {
  fileBytes: 64 * 1024 * 1024,
  totalBytes: 16 * 1024 ** 3,
  leastBytes: 64 * 1024,
  atOnce: 8,
  waiting: 64,
  atOncePerAddress: 3,
  waitingPerAddress: 48,
  timeoutMs: 20_000,
  absent: 1000,
};

/** A live film's manifest is fetched again when it is older. */
const LIVE_MS = 1000;

/** A part that was not there is asked for again: one of a live film may only be some milliseconds ahead. */
const ABSENT_MS = 10_000;
const ABSENT_LIVE_MS = 200;

/** As pages have it (player/src/page/film/encoder-run.ts): some encoders work out their start anew with each manifest. */
const SAME_START_MS = 1000;

/** Of a part whose encoder is started again meanwhile. Two encoders behind one address would go on for ever. */
const MOST_TRIES = 3;

export interface PullerOptions {
  /** Of the manifest. */
  readonly url: URL;
  readonly directory: string;
  /** Name of the manifest in there, where it is already. */
  readonly manifest: string;
  readonly isLive: boolean;
  /** Of the manifest that is there. */
  readonly availabilityStartTime: string | null;
  readonly limits: PullLimits;
  readonly disk: SpareDisk;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** Fetches each part of a film when it is asked for and not here, some at a time. */
export class Puller {
  readonly #options: PullerOptions;
  readonly #parts: KeptParts;
  readonly #turns: Turns;
  readonly #underWay = new Map<string, Promise<void>>();
  /** By address and path: an address waits once for a part. */
  readonly #waiting = new Map<string, Promise<void>>();
  /** Parts that the other server did not have, and until when it is not asked again; the oldest first. */
  readonly #absentUntilMs = new Map<string, number>();
  #manifestAtMs: number;
  /** Of the encoder's run that the parts are of, as its newest manifest has it. */
  #availabilityStartTime: string | null;
  /** Counts the runs. */
  #run = 0;

  constructor(options: PullerOptions) {
    this.#options = options;
    const { directory, manifest, limits, disk, nowMs } = options;
    this.#parts = new KeptParts({ directory, except: [manifest], limits, disk, nowMs });
    this.#turns = new Turns(limits);
    this.#manifestAtMs = nowMs();
    this.#availabilityStartTime = options.availabilityStartTime;
  }

  /**
   * Has the file at a path.
   *
   * @param address that asks for it
   * @throws Refusal: 404, 502, 503 if too many ask or nothing can make room, 507 if the disk is full
   */
  async require(path: string, address: string): Promise<void> {
    if (path === this.#options.manifest) return this.#inTurn(path, address, this.#manifest);
    if (!isMediaPath(path)) throw new Refusal(404, "Not Found");
    return this.#inTurn(path, address, this.#part);
  }

  readonly #manifest: Kind = {
    isHere: () =>
      Promise.resolve(!this.#options.isLive || this.#options.nowMs() - this.#manifestAtMs <= LIVE_MS),
    pull: async (path) => {
      await this.#pull(path, this.#options.url);
      this.#followRun(await readFile(join(this.#options.directory, path), "utf8"));
      this.#manifestAtMs = this.#options.nowMs();
    },
  };

  readonly #part: Kind = {
    isHere: (path) => {
      if (this.#isAbsent(path)) throw new Refusal(404, "Not Found");
      return this.#parts.has(path);
    },
    pull: async (path) => {
      const place = path.split("/").map(encodeURIComponent).join("/");
      try {
        for (let tries = 0; tries < MOST_TRIES; tries += 1) {
          const run = this.#run;
          await this.#parts.add(path, () => this.#pull(path, new URL(place, this.#options.url)));
          if (run === this.#run) return;
          this.#parts.remove(path); // first: the next try may fail
        }
        throw new Refusal(503, `the encoder of ${this.#options.url.href} was started again during each try`, {
          retryAfterSeconds: 1,
        });
      } catch (error) {
        if (error instanceof Refusal && error.status === 404) this.#noteAbsent(path);
        throw error;
      }
    },
  };

  async #inTurn(path: string, address: string, kind: Kind): Promise<void> {
    if (await kind.isHere(path)) return;
    const key = `${addressGroup(address)} ${path}`;
    const known = this.#underWay.get(path) ?? this.#waiting.get(key);
    if (known !== undefined) return known;
    const pull = this.#awaitTurn(path, address, kind).finally(() => this.#waiting.delete(key));
    this.#waiting.set(key, pull);
    return pull;
  }

  async #awaitTurn(path: string, address: string, kind: Kind): Promise<void> {
    const end = await this.#turns.take(address);
    try {
      if (await kind.isHere(path)) return; // others asked for it meanwhile
      await (this.#underWay.get(path) ?? this.#begin(path, kind));
    } finally {
      end();
    }
  }

  #begin(path: string, { pull }: Kind): Promise<void> {
    const begun = pull(path).finally(() => this.#underWay.delete(path));
    this.#underWay.set(path, begun);
    return begun;
  }

  #pull(path: string, url: URL): Promise<number> {
    const { directory, limits, signal } = this.#options;
    const { fileBytes: mostBytes, timeoutMs } = limits;
    return pullFile({ url, file: join(directory, path), mostBytes, timeoutMs, signal });
  }

  /** An encoder that is started again numbers from one again: other parts have the same names. */
  #followRun(manifest: string): void {
    const start = availabilityStartTimeOf(manifest);
    const former = this.#availabilityStartTime;
    if (start === null || start === former) return;
    this.#availabilityStartTime = start;
    if (former !== null && Math.abs(Date.parse(start) - Date.parse(former)) <= SAME_START_MS) return;
    this.#run += 1;
    this.#parts.clear();
    this.#absentUntilMs.clear();
  }

  #isAbsent(path: string): boolean {
    const untilMs = this.#absentUntilMs.get(path);
    return untilMs !== undefined && this.#options.nowMs() < untilMs;
  }

  #noteAbsent(path: string): void {
    const { isLive, nowMs, limits } = this.#options;
    this.#absentUntilMs.delete(path); // and in again, as the newest
    this.#absentUntilMs.set(path, nowMs() + (isLive ? ABSENT_LIVE_MS : ABSENT_MS));
    const [oldest] = this.#absentUntilMs.keys();
    if (this.#absentUntilMs.size > limits.absent && oldest !== undefined) this.#absentUntilMs.delete(oldest);
  }
}

/** What is asked for. */
interface Kind {
  isHere(path: string): Promise<boolean>;
  pull(path: string): Promise<void>;
}
