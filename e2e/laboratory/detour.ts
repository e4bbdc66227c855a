import { PYTHON, ROOT } from "../browser/environment.ts";
import { LinkError } from "../browser/link/trace.ts";
import { Child } from "../browser/process/child.ts";

const START_LIMIT_MS = 10_000;
/** So fast that it is no link to anybody. */
const RATE = "1gbit";

export interface DetourOptions {
  /** What it leads to. */
  host: string;
  port: number;
  extraRttMs: number;
  /** Puts a command where the receiver runs. */
  place: (command: string, args: readonly string[]) => { command: string; args: string[] };
}

/** A longer way for one flow: a relay of its own that only delays, between its receiver and the link. */
export class Detour implements AsyncDisposable {
  readonly host = "127.0.0.1";
  readonly port: number;
  readonly #child: Child;

  private constructor(child: Child, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async open({ host, port, extraRttMs, place }: DetourOptions): Promise<Detour> {
    const { command, args } = place(PYTHON, [
      ...["-m", "transport", "relay", "--upstream", `${host}:${port}`, "--control"],
      ...["--link", RATE, "--delay", String(extraRttMs / 2)],
    ]);
    const child = await Child.start({ name: "detour", command, args, cwd: ROOT });
    try {
      const line = await child.nextLine(START_LIMIT_MS);
      const { lanes } = JSON.parse(line) as { lanes?: { port?: unknown }[] };
      const own = lanes?.[0]?.port;
      if (typeof own !== "number")
        throw new LinkError(`the detour said "${line}" instead of that it is ready`);
      return new Detour(child, own);
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stop();
  }
}
