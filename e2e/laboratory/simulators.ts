import { existsSync } from "node:fs";
import { findPython } from "../../server/setup/find-python.ts";
import { PYTHON, ROOT } from "../browser/environment.ts";
import { Child, ChildError } from "../browser/process/child.ts";
import { RunError } from "./result.ts";

/** Virtual time passes more slowly than ours where a run has many packets; beyond this something is wrong. */
const ANSWER_LIMIT_MS = 1_800_000;

/** Simulations need nothing but Python itself, but for learned schemes: their policies need the set-up. */
export function simulatorPython(): string {
  return existsSync(PYTHON) ? PYTHON : findPython(process.env).executable;
}

/** One `nuwa simulate -`, started when first asked, and anew after it has died. */
export class Simulator implements AsyncDisposable {
  readonly #command: readonly [string, ...string[]];
  #child: Child | null = null;

  constructor(
    command: readonly [string, ...string[]] = [simulatorPython(), "-m", "e2e.nuwa", "simulate", "-"],
  ) {
    this.#command = command;
  }

  /**
   * @param line the request
   * @returns the answer's line
   * @throws RunError if the process dies of the request; an abort stops it and rejects with its reason
   */
  async ask(line: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const child = await this.#started();
    const stop = () => {
      child.kill("SIGKILL");
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      child.send(line);
      return await child.nextLine(ANSWER_LIMIT_MS);
    } catch (error) {
      signal.throwIfAborted();
      await this.#drop(child);
      if (!(error instanceof ChildError)) throw error;
      const state = { lastWords: child.lastWords };
      throw new RunError({ scheme: null, message: error.message, state }, { cause: error });
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child !== null) await this.#drop(this.#child);
  }

  async #started(): Promise<Child> {
    const [command, ...args] = this.#command;
    this.#child ??= await Child.start({ name: "simulation", command, args, cwd: ROOT });
    return this.#child;
  }

  async #drop(child: Child): Promise<void> {
    this.#child = null;
    child.kill("SIGKILL");
    await child.stop();
  }
}
