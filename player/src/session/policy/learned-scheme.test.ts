import { beforeEach, describe, expect, it } from "vitest";
import { Decisions, type Learned, type PolicySpace } from "../../../../cc/receiver/decision.ts";
import type {
  Feedback,
  ReceiverScheme,
  ReceiverState,
  Stamp,
} from "../../../../cc/receiver/receiver-scheme.ts";
import { LearnedScheme } from "./learned-scheme.ts";
import { PolicyError } from "./policy-error.ts";

const SPACE: PolicySpace = {
  features: [{ name: "delay", unit: "s", low: 0, high: 1, isLogarithmic: false }],
  history: 1,
  actions: { kind: "choices", values: [0.5, 1, 2] },
  interval: "each feedback",
};
const STAMP = {} as Stamp;

/** Asks with every feedback and keeps what it is answered. */
class Asking implements ReceiverScheme, Learned {
  readonly decisions = new Decisions(SPACE);
  readonly taken: (number | null)[] = [];
  #asked = 0;

  get request() {
    return this.decisions.request;
  }

  onDecision(sequence: number, action: number | null): void {
    this.taken.push(this.decisions.accept(sequence, action));
  }

  onStamp(_: Stamp, receivedTimeSeconds: number): void {
    this.decisions.onEvent(receivedTimeSeconds);
  }

  feedback(nowSeconds: number): Feedback | null {
    this.decisions.endInterval([this.#asked++ / 10], nowSeconds);
    return null;
  }

  expectData(): void {}
  onNeed(): void {}
  startEpoch(): void {}
  state(): ReceiverState {
    throw new Error("nobody asks");
  }
}

/** Answers when it is told to. */
class Oracle {
  readonly seen: (readonly number[])[] = [];
  readonly #waiting: { resolve: (action: number | null) => void; reject: (error: Error) => void }[] = [];

  decide(observation: readonly number[]): Promise<number | null> {
    this.seen.push(observation);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  async answer(action: number | null): Promise<void> {
    this.#waiting.shift()?.resolve(action);
    await settle();
  }

  async fail(error: Error): Promise<void> {
    this.#waiting.shift()?.reject(error);
    await settle();
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

let scheme: Asking;
let oracle: Oracle;
let learned: LearnedScheme;
let nowMs: number;

beforeEach(() => {
  nowMs = 0;
  scheme = new Asking();
  oracle = new Oracle();
  learned = new LearnedScheme({
    scheme,
    schemeName: "nuwa-rl",
    policyName: "sample",
    nowMs: () => nowMs,
  });
});

describe("a learned receiver", () => {
  it("has a request answered after the call that published it, and by the scheme's own rules", async () => {
    await learned.use(Promise.resolve(oracle));
    learned.feedback(0);
    expect(scheme.taken).toEqual([]);
    nowMs = 1.5;
    await oracle.answer(2);
    expect(oracle.seen).toEqual([[0]]);
    expect(scheme.taken).toEqual([2]);
    expect(learned.report()).toMatchObject({
      state: "ready",
      decided: 1,
      usesHeuristic: false,
      trouble: null,
    });
    expect(learned.report()).toMatchObject({ medianMs: 1.5, p99Ms: 1.5 });
  });

  it("does not ask twice at once; the overtaken request is late, the newest is next", async () => {
    await learned.use(Promise.resolve(oracle));
    learned.feedback(0);
    learned.feedback(0);
    learned.feedback(0);
    await oracle.answer(0);
    expect(scheme.taken).toEqual([null]);
    learned.onStamp(STAMP, 0);
    await oracle.answer(1);
    expect(oracle.seen).toEqual([[0], [0.2]]);
    expect(learned.report()).toMatchObject({ decided: 1, late: 2, failed: 0 });
  });

  it("leaves requests open while its policy is being loaded: the scheme counts them as late", async () => {
    learned.feedback(0);
    learned.feedback(0);
    expect(learned.report()).toMatchObject({
      state: "loading",
      late: 1,
      usesHeuristic: true,
      trouble: null,
    });
    await learned.use(Promise.resolve(oracle));
    learned.onStamp(STAMP, 0);
    await oracle.answer(1);
    expect(learned.report().decided).toBe(1);
  });

  it("goes by the heuristic without a policy, and says why", async () => {
    await learned.use(Promise.reject(new PolicyError("its policy sample is not on the server", "404")));
    learned.feedback(0);
    learned.feedback(0);
    expect(learned.report()).toMatchObject({
      scheme: "nuwa-rl",
      name: "sample",
      state: "failed",
      trouble: "its policy sample is not on the server",
      detail: "404",
      failed: 2,
      late: 0,
      usesHeuristic: true,
      p99Ms: null,
    });
  });

  it("says that its policy gave no number until it gives one again", async () => {
    await learned.use(Promise.resolve(oracle));
    learned.feedback(0);
    await oracle.answer(null);
    expect(learned.report()).toMatchObject({ failed: 1, usesHeuristic: true });
    expect(learned.report().trouble).toMatch(/^its policy sample gave no number/);
    learned.feedback(0);
    await oracle.answer(1);
    expect(learned.report()).toMatchObject({ decided: 1, trouble: null, usesHeuristic: false });
  });

  it("takes a policy that breaks for one without an answer, and keeps what it said", async () => {
    await learned.use(Promise.resolve(oracle));
    learned.feedback(0);
    await oracle.fail(new Error("out of memory"));
    expect(learned.report()).toMatchObject({ failed: 1, detail: "Error: out of memory" });
  });

  it("throws what is no trouble with a policy at the next stamp", async () => {
    await learned.use(Promise.reject(new TypeError("a bug")));
    expect(() => learned.onStamp(STAMP, 0)).toThrow("a bug");
  });
});
