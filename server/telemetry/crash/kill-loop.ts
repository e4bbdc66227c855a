import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";
import { type Audit, audit } from "./audit.ts";
import { Sender } from "./sender.ts";
import { buildSlimServer, SlimProcess, type SlimProgram } from "./slim-process.ts";

/** How long a server lives once it serves. */
const LIFE_MS = { shortest: 10, longest: 150 };
/** Of the servers are killed before that, while the file is being opened. */
const KILLED_WHILE_OPENING = 0.1;
const OPENING_MS = 40;

export interface KillLoopOptions {
  readonly directory: string;
  /** Of servers that serve; those killed earlier come on top. */
  readonly kills: number;
  readonly senders: number;
  /** Of what is left to chance: when servers are killed, and what is sent. */
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly onKill?: (kills: number) => void;
}

export interface KillReport extends Audit {
  readonly kills: number;
  readonly killsWhileOpening: number;
  /** Kills that met at least one request under way. */
  readonly killsDuringRequests: number;
  readonly failedRequests: number;
  /** What servers said of files that they found damaged. */
  readonly damage: readonly string[];
}

/** Kills a server again and again while sessions send to it, then counts what was kept of what it had accepted. */
export async function killLoop(options: KillLoopOptions): Promise<KillReport> {
  const program = await buildSlimServer();
  const loop = new KillLoop(program, options);
  try {
    return await loop.run();
  } finally {
    await loop.end();
    program.remove();
  }
}

class KillLoop {
  readonly #program: SlimProgram;
  readonly #options: KillLoopOptions;
  readonly #random: () => number;
  readonly #senders: readonly Sender[];
  readonly #processes = new Set<SlimProcess>();
  readonly #damage: string[] = [];
  #port = deferred<number>();
  #next: Promise<SlimProcess>;
  #counts = { kills: 0, killsWhileOpening: 0, killsDuringRequests: 0 };

  constructor(program: SlimProgram, options: KillLoopOptions) {
    this.#program = program;
    this.#options = options;
    const generator = mersenne(options.seed);
    this.#random = () => uniformFloat64(generator);
    const port = () => this.#port.promise;
    this.#senders = Array.from({ length: options.senders }, () => new Sender(port, this.#random));
    this.#next = this.#load();
  }

  async run(): Promise<KillReport> {
    const { kills, signal, onKill, directory } = this.#options;
    const sending = Promise.all(this.#senders.map((sender) => sender.run()));
    sending.catch((error: unknown) => this.#port.reject(error)); // and is thrown below
    while (this.#counts.kills < kills) {
      signal?.throwIfAborted();
      await this.#serveAndKill(sending);
      onKill?.(this.#counts.kills);
    }
    const last = await this.#take();
    for (const sender of this.#senders) sender.stop();
    this.#port.resolve(await last.port());
    await sending; // the last batch of each is accepted
    await this.#kill(last);
    const failedRequests = this.#senders.reduce((sum, { failures }) => sum + failures, 0);
    const damage = this.#damage;
    return { ...this.#counts, failedRequests, damage, ...(await audit(directory, this.#senders)) };
  }

  /** Leaves no process behind. */
  async end(): Promise<void> {
    await this.#next.catch(() => undefined); // it is in the set, whatever became of it
    await Promise.all([...this.#processes].map((process) => process.kill()));
  }

  async #serveAndKill(sending: Promise<unknown>): Promise<void> {
    const server = await this.#take();
    if (this.#random() < KILLED_WHILE_OPENING) {
      await pause(this.#random() * OPENING_MS);
      await this.#kill(server);
      this.#counts.killsWhileOpening += 1;
      return;
    }
    this.#port.resolve(await server.port());
    await Promise.race([this.#live(), sending]);
    this.#port = deferred();
    this.#counts.killsDuringRequests += this.#senders.some(({ isSending }) => isSending) ? 1 : 0;
    await this.#kill(server);
    this.#counts.kills += 1;
  }

  /** Every other server lives at least until it has accepted something, however slow the machine is. */
  async #live(): Promise<void> {
    const { shortest, longest } = LIFE_MS;
    const before = this.#accepted();
    await pause(shortest + this.#random() * (longest - shortest));
    const mustAccept = this.#counts.kills % 2 === 0;
    while (mustAccept && this.#accepted() === before) await pause(shortest);
  }

  #accepted(): number {
    return this.#senders.reduce((sum, { acceptedEvents }) => sum + acceptedEvents, 0);
  }

  /** The loaded process, told to serve; meanwhile the next one loads, which takes longer than a server lives. */
  async #take(): Promise<SlimProcess> {
    const server = await this.#next;
    this.#next = this.#load();
    server.beginServing();
    return server;
  }

  #load(): Promise<SlimProcess> {
    const process = new SlimProcess(this.#program, this.#options.directory);
    this.#processes.add(process);
    const loaded = process.loaded().then(() => process);
    loaded.catch(() => undefined); // thrown where it is awaited
    return loaded;
  }

  async #kill(process: SlimProcess): Promise<void> {
    await process.kill();
    this.#processes.delete(process);
    this.#damage.push(...process.log.split("\n").filter((line) => line.includes("the file is damaged")));
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, "promise"> | null = null;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return Object.assign({ promise }, settle as unknown as Omit<Deferred<T>, "promise">);
}
