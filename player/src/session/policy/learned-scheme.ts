import type { DecisionRequest, Learned } from "../../../../cc/receiver/decision.ts";
import type {
  Feedback,
  Need,
  ReceiverScheme,
  ReceiverState,
  Stamp,
} from "../../../../cc/receiver/receiver-scheme.ts";
import { DecisionTimes } from "./decision-times.ts";
import { PolicyError } from "./policy-error.ts";
import type { PolicyReport } from "./policy-report.ts";
import type { PolicyRunner } from "./policy-runner.ts";

export interface LearnedSchemeOptions {
  readonly scheme: ReceiverScheme & Learned;
  readonly schemeName: string;
  readonly policyName: string;
  /** Monotonic clock. */
  readonly nowMs: () => number;
}

const NO_NUMBER = "gave no number when it was asked last";

/**
 * A learned scheme with its policy: answers its requests, never before the call returns that published them. Without
 * a policy, while one is being loaded and where one gives no number the scheme runs its heuristic, and the report says so.
 */
export class LearnedScheme implements ReceiverScheme {
  readonly #scheme: ReceiverScheme & Learned;
  readonly #names: Pick<PolicyReport, "scheme" | "name">;
  readonly #nowMs: () => number;
  readonly #times = new DecisionTimes();
  #state: PolicyReport["state"] = "loading";
  #policy: Pick<PolicyRunner, "decide"> | null = null;
  #trouble: Pick<PolicyError, "message" | "detail"> | null = null;
  #isDeciding = false;
  /** What should not have been thrown, by the scheme over an answer or while loading; the next stamp's caller is told. */
  #bug: { readonly error: unknown } | null = null;

  constructor({ scheme, schemeName, policyName, nowMs }: LearnedSchemeOptions) {
    this.#scheme = scheme;
    this.#names = { scheme: schemeName, name: policyName };
    this.#nowMs = nowMs;
  }

  /** Takes the policy as soon as it is loaded; a PolicyError leaves the scheme with its heuristic. Never rejects. */
  async use(loading: Promise<Pick<PolicyRunner, "decide">>): Promise<void> {
    try {
      this.#policy = await loading;
      this.#state = "ready";
    } catch (error) {
      this.#state = "failed";
      if (error instanceof PolicyError) {
        this.#trouble = error;
      } else {
        this.#bug = { error };
      }
    }
  }

  onStamp(stamp: Stamp, receivedTimeSeconds: number, lateSeconds = 0): void {
    if (this.#bug !== null) {
      throw this.#bug.error;
    }
    this.#scheme.onStamp(stamp, receivedTimeSeconds, lateSeconds);
    this.#attend();
  }

  feedback(nowSeconds: number): Feedback | null {
    const feedback = this.#scheme.feedback(nowSeconds);
    this.#attend();
    return feedback;
  }

  expectData(isExpecting: boolean): void {
    this.#scheme.expectData(isExpecting);
  }

  onNeed(need: Need, nowSeconds: number): void {
    this.#scheme.onNeed(need, nowSeconds);
  }

  startEpoch(nowSeconds: number): void {
    this.#scheme.startEpoch(nowSeconds);
  }

  state(nowSeconds: number): ReceiverState {
    return this.#scheme.state(nowSeconds);
  }

  report(): PolicyReport {
    const { decided, late, failed, usesHeuristic } = this.#scheme.decisions;
    return {
      ...this.#names,
      state: this.#state,
      trouble: this.#trouble?.message ?? null,
      detail: this.#trouble?.detail ?? null,
      usesHeuristic,
      decided,
      late,
      failed,
      medianMs: this.#times.quantileMs(0.5),
      p99Ms: this.#times.quantileMs(0.99),
    };
  }

  /** Has the waiting request answered; while another is being answered, with the next event. */
  #attend(): void {
    const { request } = this.#scheme;
    if (request === null || this.#isDeciding || this.#state === "loading") {
      return;
    }
    if (this.#policy === null) {
      this.#scheme.onDecision(request.sequence, null);
      return;
    }
    this.#isDeciding = true;
    this.#ask(this.#policy, request)
      .then((action) => this.#scheme.onDecision(request.sequence, action))
      .catch((error: unknown) => {
        this.#bug = { error };
      })
      .finally(() => {
        this.#isDeciding = false;
      });
  }

  async #ask(policy: Pick<PolicyRunner, "decide">, { observation }: DecisionRequest): Promise<number | null> {
    const askedMs = this.#nowMs();
    let detail: string | null = null;
    const action = await policy.decide(observation).catch((error: unknown) => {
      detail = String(error);
      return null;
    });
    this.#times.add(this.#nowMs() - askedMs);
    this.#trouble =
      action === null ? { message: `its policy ${this.#names.name} ${NO_NUMBER}`, detail } : null;
    return action;
  }
}
