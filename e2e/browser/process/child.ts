import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A child process that ended, or never began, where it should have served; the message is one sentence. */
export class ChildError extends Error {}

/** How much of a child's last words is kept for an error's message. */
const KEPT_CHARACTERS = 4000;
const STOP_LIMIT_MS = 8_000;

export interface ChildOptions {
  name: string;
  command: string;
  args: readonly string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * A child in a process group of its own, that speaks in lines on stdout and ends when its stdin closes. So it ends even if
 * this process is killed without a chance to say so.
 */
export class Child {
  readonly name: string;
  readonly pid: number;
  readonly ended: Promise<number | null>;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #lastWords = "";
  #hasEnded = false;

  private constructor(name: string, pid: number, process: ChildProcessWithoutNullStreams) {
    this.name = name;
    this.pid = pid;
    this.#process = process;
    this.#lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-KEPT_CHARACTERS);
    });
    process.stdin.on("error", () => undefined); // the child ended first: `ended` tells
    this.ended = new Promise((resolve) => {
      process.once("close", (code) => {
        this.#hasEnded = true;
        resolve(code);
      });
    });
  }

  static async start(options: ChildOptions): Promise<Child> {
    const { name, command, args, cwd, env } = options;
    const process = spawn(command, args, { cwd, env, detached: true, stdio: "pipe" });
    return new Promise((resolve, reject) => {
      process.once("error", (error) => {
        reject(new ChildError(`${name}: ${command} does not start: ${error.message}`));
      });
      process.once("spawn", () => {
        resolve(new Child(name, process.pid as number, process));
      });
    });
  }

  /** What the child wrote on stderr last. */
  get lastWords(): string {
    return this.#lastWords.trim();
  }

  send(line: string): void {
    this.#process.stdin.write(`${line}\n`);
  }

  /** The lines on stdout that are still to come; ends with the child. */
  get lines(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#lines };
  }

  /** The next line on stdout; rejects if the child ends or `limitMs` passes first. */
  async nextLine(limitMs: number): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new ChildError(`${this.name} said nothing for ${limitMs / 1000} s. ${this.lastWords}`));
      }, limitMs);
    });
    try {
      const next = await Promise.race([this.#lines.next(), tooLate]);
      if (next.done === true) {
        const code = await this.ended;
        throw new ChildError(`${this.name} ended early (exit status ${code}). ${this.lastWords}`);
      }
      return next.value;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes stdin and waits; what is left of the process group after a while is killed. */
  async stop(): Promise<void> {
    this.#process.stdin.end();
    const timer = setTimeout(() => {
      this.kill("SIGKILL");
    }, STOP_LIMIT_MS);
    await this.ended;
    clearTimeout(timer);
    this.kill("SIGKILL"); // what the child may have left in its group
  }

  /** Signals the whole process group; no error if it is gone. */
  kill(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }
}
