/**
 * The seam between a learned receiver and its policy: a request when an interval ends, an answer when there is one. The
 * twin of cc/core/decision.py, which says how it is meant.
 */

/** What an answer may take before the scheme goes on without one (`ANSWER_TIME_S`). */
const ANSWER_TIME_SECONDS = 0.002;

/** One number that a policy sees, in physical units; a `PolicySpace` has them in order. What they mean, the twin says. */
export interface Feature {
  readonly name: string;
  /** As text, such as `s`, `bytes/s` or `ratio`. */
  readonly unit: string;
  /** A policy sees values beyond the range as its ends; what is unknown is 0. */
  readonly low: number;
  readonly high: number;
  /** Spread by its logarithm before the policy sees it; then `low` is positive. */
  readonly isLogarithmic: boolean;
}

/** Discrete actions: the policy answers with the index of one. */
export interface Choices {
  readonly kind: "choices";
  readonly values: readonly number[];
}

/** A continuous action: the policy answers with the number itself. */
export interface Amount {
  readonly kind: "amount";
  readonly low: number;
  readonly high: number;
}

/** What a scheme shows its policy and takes from it; a card must say the same. */
export interface PolicySpace {
  readonly features: readonly Feature[];
  /** Intervals that an observation holds, oldest first; those that have not been are zeros. */
  readonly history: number;
  readonly actions: Choices | Amount;
  /** When an interval ends, in words. */
  readonly interval: string;
}

/** What a policy is asked. */
export interface DecisionRequest {
  readonly sequence: number;
  /** `PolicySpace.history` times the features, oldest interval first. */
  readonly observation: readonly number[];
}

/** A receiver that asks a policy; its class has a static `policySpace`. */
export interface Learned {
  /** What waits for an answer; null if nothing does. To be read after each `onStamp` and `feedback`. */
  readonly request: DecisionRequest | null;
  /** The answer to a request; one that comes too late is ignored, and null is none. */
  onDecision(sequence: number, action: number | null): void;
  readonly decisions: DecisionCounts;
}

/** What became of the requests so far. */
export interface DecisionCounts {
  /** Requests published; of those that are neither decided, late nor failed one is open. */
  readonly asked: number;
  readonly decided: number;
  /** Requests that were still open when the next interval ended. */
  readonly late: number;
  /** Requests answered by nothing, by no number or by none of the actions. */
  readonly failed: number;
  /** Whether the scheme does without its policy now: nothing has been decided yet, or not in time. */
  readonly usesHeuristic: boolean;
}

/** Whether a receiver asks a policy. */
export function isLearned(receiver: object): receiver is Learned {
  return "request" in receiver && "onDecision" in receiver && "decisions" in receiver;
}

/** Numbers in an observation. */
export function observationSize(space: PolicySpace): number {
  return space.history * space.features.length;
}

/** Whether the action is one of the space's. */
export function accepts({ actions }: PolicySpace, action: number): boolean {
  if (actions.kind === "amount") return actions.low <= action && action <= actions.high;
  return Number.isInteger(action) && action >= 0 && action < actions.values.length;
}

/** A learned scheme's bookkeeping: history, the request that waits, and what became of earlier ones. */
export class Decisions implements DecisionCounts {
  request: DecisionRequest | null = null;
  asked = 0;
  decided = 0;
  late = 0;
  failed = 0;
  usesHeuristic = true;
  readonly #space: PolicySpace;
  readonly #history: (readonly number[])[];
  /** When the open request was published. */
  #askedSeconds = 0;

  constructor(space: PolicySpace) {
    this.#space = space;
    this.#history = Array.from({ length: space.history }, () => space.features.map(() => 0));
  }

  /** Something happened to the flow: a request may be overdue. To be called before all else. */
  onEvent(nowSeconds: number): void {
    // a receiver's clock may have been set back, too
    if (this.request !== null && Math.abs(nowSeconds - this.#askedSeconds) > ANSWER_TIME_SECONDS) {
      this.usesHeuristic = true;
    }
  }

  /** Publishes a request; throws RangeError for features that are not those of the space, or not finite. */
  endInterval(features: readonly number[], nowSeconds: number): void {
    if (features.length !== this.#space.features.length || !features.every(Number.isFinite)) {
      const names = this.#space.features.map(({ name }) => name).join(", ");
      throw new RangeError(`features ${features.join(", ")} are not finite numbers for ${names}`);
    }
    if (this.request !== null) {
      this.late++;
      this.usesHeuristic = true;
    }
    this.#history.shift();
    this.#history.push([...features]);
    this.request = { sequence: this.asked, observation: this.#history.flat() };
    this.asked++;
    this.#askedSeconds = nowSeconds;
  }

  /** The action to take; null if the answer is none, or is for another request than the open one. */
  accept(sequence: number, action: number | null): number | null {
    if (this.request === null || sequence !== this.request.sequence) return null;
    this.request = null;
    if (action === null || !accepts(this.#space, action)) {
      this.failed++;
      this.usesHeuristic = true;
      return null;
    }
    this.decided++;
    this.usesHeuristic = false;
    return action;
  }
}
