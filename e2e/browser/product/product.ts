import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "../environment.ts";
import { Child, ChildError } from "../process/child.ts";
import { type Catalogues, readCatalogues } from "./catalogues.ts";
import type { Command, HeldBytes, Order, Said } from "./messages.ts";
import { PRODUCT_PROGRAM } from "./product-build.ts";

/** Bounds a hang only. */
const START_LIMIT_MS = 120_000;
const READY = /^nuwa-stream is ready: (\S+)$/;

/** Read once: they are this clone's, and every product would ask two Pythons for the same. */
let catalogues: Promise<Catalogues> | null = null;

/** A transport that has said that it is ready. */
export interface RunningTransport {
  readonly pid: number;
  readonly port: number;
}

/** The whole server side, as a user starts it: web server, supervisor, transport. */
export class Product {
  #child: Child;
  readonly #order: Order;
  readonly #environment: Readonly<Record<string, string>>;
  /** Folder of what the server keeps; goes with it. */
  readonly #data: string;
  readonly #onTransport: (transport: RunningTransport) => void;
  #address: string | null = null;
  #transport: RunningTransport | null = null;
  #frozenPid: number | null = null;
  #onCollected: (held: HeldBytes) => void = () => undefined;

  private constructor(started: Started) {
    this.#child = started.child;
    this.#data = started.data;
    this.#order = started.order;
    this.#environment = started.environment;
    this.#onTransport = started.onTransport;
  }

  /**
   * @param onTransport is called for each transport that becomes ready, the first included
   * @param environment of its processes, beside this one's
   * @param place what goes before its command: where it runs
   */
  static async start(
    order: Order,
    onTransport: (transport: RunningTransport) => void = () => undefined,
    environment: Readonly<Record<string, string>> = {},
    place: readonly string[] = [],
  ): Promise<Product> {
    const child = await startChild(environment, place);
    const data = await mkdtemp(join(tmpdir(), "nuwa-product-"));
    const product = new Product({ child, data, order, environment, onTransport });
    try {
      await product.#untilReady(order.args);
      return product;
    } catch (error) {
      await product[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Ends the web server, waits, and starts it again: same port, same data. `stopped` lets it end by itself, as for a new
   * version; `killed` does not, as a system without memory does not.
   */
  async restart(how: "stopped" | "killed", awaySeconds: number): Promise<void> {
    const { port } = new URL(this.address);
    if (how === "killed") process.kill(this.#child.pid, "SIGKILL");
    await this.#child.stop();
    await pause(1000 * awaySeconds);
    this.#child = await startChild(this.#environment);
    await this.#untilReady([...this.#order.args, "--port", port]);
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

  /** As a deployment does: it may say goodbye. The supervisor starts another. */
  endTransport(): void {
    process.kill(this.transport.pid, "SIGTERM");
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
    this.#tell({ command: "keep-down" });
  }

  /** What the web server holds once it has collected its garbage. */
  collectGarbage(): Promise<HeldBytes> {
    return new Promise((resolve) => {
      this.#onCollected = resolve;
      this.#tell({ command: "collect-garbage" });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stop();
    await rm(this.#data, { recursive: true, force: true });
  }

  async #untilReady(args: readonly string[]): Promise<void> {
    const child = this.#child;
    child.send(
      JSON.stringify({ ...this.#order, catalogues: await readOnce(), args: [...args, "--data", this.#data] }),
    );
    this.#address = null;
    while (this.#address === null) this.#hear(await child.nextLine(START_LIMIT_MS));
    void this.#listen(child);
  }

  #hear(line: string): void {
    const address = READY.exec(line)?.[1];
    if (address !== undefined) this.#address = address;
    if (!line.startsWith("{")) return;
    const said = JSON.parse(line) as Said;
    if (said.event === "collected") {
      this.#onCollected(said.held);
      return;
    }
    const { pid, port } = said;
    this.#transport = { pid, port };
    this.#onTransport(this.#transport);
  }

  #tell(command: Command): void {
    this.#child.send(JSON.stringify(command));
  }

  async #listen(child: Child): Promise<void> {
    for await (const line of child.lines) this.#hear(line);
  }
}

/** One that fails is tried again by the next that asks. */
function readOnce(): Promise<Catalogues> {
  catalogues ??= readCatalogues().catch((error: unknown) => {
    catalogues = null;
    throw error;
  });
  return catalogues;
}

interface Started {
  readonly child: Child;
  readonly data: string;
  readonly order: Order;
  readonly environment: Readonly<Record<string, string>>;
  readonly onTransport: (transport: RunningTransport) => void;
}

function startChild(
  environment: Readonly<Record<string, string>>,
  place: readonly string[] = [],
): Promise<Child> {
  const [command = "", ...args] = [...place, process.execPath, PRODUCT_PROGRAM];
  const env = { ...process.env, ...environment };
  return Child.start({ name: "the product", command, args, cwd: ROOT, env });
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
