import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../environment.ts";
import { Child, ChildError } from "../process/child.ts";
import type { Command, Order, Said } from "./messages.ts";

const ENTRY = fileURLToPath(new URL("serve.ts", import.meta.url));
/** Bounds a hang only. */
const START_LIMIT_MS = 120_000;
const READY = /^nuwa-stream is ready: (\S+)$/;

/** A transport that has said that it is ready. */
export interface RunningTransport {
  readonly pid: number;
  readonly port: number;
}

/** The whole server side, as a user starts it: web server, supervisor, transport. */
export class Product {
  readonly #child: Child;
  /** Folder of what the server keeps; goes with it. */
  readonly #data: string;
  readonly #onTransport: (transport: RunningTransport) => void;
  #address: string | null = null;
  #transport: RunningTransport | null = null;
  #frozenPid: number | null = null;

  private constructor(child: Child, data: string, onTransport: (transport: RunningTransport) => void) {
    this.#child = child;
    this.#data = data;
    this.#onTransport = onTransport;
  }

  /** @param onTransport is called for each transport that becomes ready, the first included */
  static async start(
    order: Order,
    onTransport: (transport: RunningTransport) => void = () => undefined,
  ): Promise<Product> {
    const args = ["--import", "tsx", ENTRY];
    const child = await Child.start({ name: "the product", command: process.execPath, args, cwd: ROOT });
    const data = await mkdtemp(join(tmpdir(), "nuwa-product-"));
    const product = new Product(child, data, onTransport);
    try {
      child.send(JSON.stringify({ ...order, args: [...order.args, "--data", data] }));
      while (product.#address === null) product.#hear(await child.nextLine(START_LIMIT_MS));
      void product.#listen();
      return product;
    } catch (error) {
      await product[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Its process, and the group of all that it starts. */
  get pid(): number {
    return this.#child.pid;
  }

  /** The page's, as the user reads it. */
  get address(): string {
    if (this.#address === null) throw new ChildError("the product has not said where its page is");
    return this.#address;
  }

  /** What it logged last. */
  get lastWords(): string {
    return this.#child.lastWords;
  }

  get transport(): RunningTransport {
    if (this.#transport === null) throw new ChildError("no transport was ready yet");
    return this.#transport;
  }

  /** The supervisor starts another. */
  killTransport(): void {
    process.kill(this.transport.pid, "SIGKILL");
  }

  /** The transport makes itself a new certificate and goes on. */
  rotateCertificate(): void {
    process.kill(this.transport.pid, "SIGUSR1");
  }

  freezeTransport(): void {
    this.#frozenPid = this.transport.pid;
    process.kill(this.#frozenPid, "SIGSTOP");
  }

  /** Lets a frozen transport go on, if the supervisor has not ended it. */
  thawTransport(): void {
    if (this.#frozenPid !== null) signalIfThere(this.#frozenPid, "SIGCONT");
    this.#frozenPid = null;
  }

  /** Kills the transport, and each that the supervisor starts from now on. */
  keepTransportDown(): void {
    const command: Command = { command: "keep-down" };
    this.#child.send(JSON.stringify(command));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stop();
    await rm(this.#data, { recursive: true, force: true });
  }

  #hear(line: string): void {
    const address = READY.exec(line)?.[1];
    if (address !== undefined) this.#address = address;
    if (!line.startsWith("{")) return;
    const { pid, port } = JSON.parse(line) as Said;
    this.#transport = { pid, port };
    this.#onTransport(this.#transport);
  }

  async #listen(): Promise<void> {
    for await (const line of this.#child.lines) this.#hear(line);
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
