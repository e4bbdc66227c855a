import { type PolicyCard, type Shapes, STATES, shapesOf } from "./policy-card.ts";
import { PolicyError } from "./policy-error.ts";
import type { PolicyRuntime, RuntimeSession, RuntimeTensor } from "./policy-runtime.ts";

/** Runs before the first that counts: V8 compiles WebAssembly for speed only once it has run this often. */
const WARM_UP_RUNS = 3000;
/** Of these, so many at a time: what arrives meanwhile is served in between. */
const WARM_UP_SLICE_RUNS = 10;

/** Answers one flow's requests, in order; the twin of models/policies/runner.py. */
export class PolicyRunner {
  readonly card: PolicyCard;
  readonly #runtime: PolicyRuntime;
  readonly #session: RuntimeSession;
  /** What the model is given beside the observation: the memory of a recurrent one. */
  #memory: Record<string, RuntimeTensor>;

  private constructor(card: PolicyCard, runtime: PolicyRuntime, session: RuntimeSession) {
    this.card = card;
    this.#runtime = runtime;
    this.#session = session;
    this.#memory = this.#emptyMemory();
  }

  /** Throws PolicyError for a model that is none, or whose inputs and outputs are not the card's. */
  static async start(card: PolicyCard, model: Uint8Array, runtime: PolicyRuntime): Promise<PolicyRunner> {
    const refuse = (error: unknown): never => {
      throw new PolicyError(`its policy ${card.name} cannot be run`, String(error));
    };
    const session = await runtime.startSession(model).catch(refuse);
    requireShapes(card, session);
    const runner = new PolicyRunner(card, runtime, session);
    await runner.#warmUp().catch(refuse);
    return runner;
  }

  async #warmUp(): Promise<void> {
    const { observation = 0 } = shapesOf(this.card).inputs;
    for (let run = 0; run < WARM_UP_RUNS; run++) {
      await this.answer(new Array<number>(observation).fill(0));
      if (run % WARM_UP_SLICE_RUNS === 0) {
        await nextTask();
      }
    }
    this.#memory = this.#emptyMemory();
  }

  /** The action: the index of a choice, or an amount; null where the model gives no finite number. */
  async decide(observation: readonly number[]): Promise<number | null> {
    const answer = await this.answer(observation);
    if (answer === null) {
      return null;
    }
    return this.card.space.actions.kind === "choices" ? indexOfLargest(answer) : (answer[0] ?? null);
  }

  /** The model's own numbers: a score for each choice, or the amount; null where one is not finite. */
  async answer(observation: readonly number[]): Promise<readonly number[] | null> {
    const given = { observation: this.#runtime.tensor(observation), ...this.#memory };
    const outputs = await this.#session.run(given);
    if (!Object.values(outputs).every(({ data }) => data.every(Number.isFinite))) {
      return null;
    }
    const next = Object.keys(this.#memory).map((state) => [state, outputs[`next_${state}`]] as const);
    this.#memory = Object.fromEntries(next) as Record<string, RuntimeTensor>;
    const name = this.card.space.actions.kind === "choices" ? "scores" : "action";
    return [...(outputs[name]?.data ?? [])];
  }

  #emptyMemory(): Record<string, RuntimeTensor> {
    const { recurrentUnits: units } = this.card;
    const states = units === null ? [] : STATES;
    return Object.fromEntries(
      states.map((state) => [state, this.#runtime.tensor(new Array<number>(units ?? 0).fill(0))]),
    );
  }
}

/** The first of the largest, as numpy's argmax. */
function indexOfLargest(scores: readonly number[]): number {
  return scores.indexOf(Math.max(...scores));
}

function requireShapes(card: PolicyCard, session: RuntimeSession): void {
  const { inputs, outputs } = shapesOf(card);
  const [hasInputs, hasOutputs] = [session.inputs, session.outputs];
  if (isSame(inputs, hasInputs) && isSame(outputs, hasOutputs)) {
    return;
  }
  const text = (shapes: object): string => JSON.stringify(shapes);
  throw new PolicyError(
    `the model of its policy ${card.name} has other inputs or outputs than its card says`,
    `it takes ${text(hasInputs)} and gives ${text(hasOutputs)}; the card wants ${text(inputs)} and ${text(outputs)}`,
  );
}

function isSame(wanted: Shapes, found: Readonly<Record<string, readonly (number | string)[]>>): boolean {
  const names = Object.keys(wanted);
  return (
    names.length === Object.keys(found).length &&
    names.every(
      (name) => found[name]?.length === 2 && found[name][0] === 1 && found[name][1] === wanted[name],
    )
  );
}

/** After what the thread was told meanwhile; timers that follow each other wait 4 ms each. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
