import { setTimeout } from "node:timers/promises";
import { textOf, threadsOf } from "./process-threads.ts";

/** CPU seconds that parts of a browser have used at a moment. Linux only. */
export interface BrowserTimes {
  /** ms of the epoch. */
  atMs: number;
  /** Main threads of all renderers. */
  mainSeconds: number;
  /** Dedicated workers of all renderers. */
  workerSeconds: number;
  /** The process that sends and receives. */
  networkSeconds: number;
  /** All of the browser's processes. */
  browserSeconds: number;
}

/** One thread, as its process and Linux tell of it. */
export interface ThreadTime {
  /** The process's command line. */
  command: string;
  isMain: boolean;
  /** Linux keeps 15 characters. */
  name: string;
  seconds: number;
}

const SAMPLE_MS = 500;
const DEDICATED_WORKER = "DedicatedWorker";

/** Sorts a browser's threads by what they do. Pure. */
export function sumThreads(threads: readonly ThreadTime[], atMs: number): BrowserTimes {
  const sum = (isMeant: (thread: ThreadTime) => boolean): number =>
    threads.filter(isMeant).reduce((seconds, thread) => seconds + thread.seconds, 0);
  const isRenderer = ({ command }: ThreadTime): boolean => command.includes("--type=renderer");
  return {
    atMs,
    mainSeconds: sum((thread) => isRenderer(thread) && thread.isMain),
    workerSeconds: sum((thread) => isRenderer(thread) && thread.name === DEDICATED_WORKER),
    networkSeconds: sum(({ command }) => command.includes("=network.mojom.NetworkService")),
    browserSeconds: sum(() => true),
  };
}

/** Reads a browser's times again and again until it is stopped. */
export class BrowserTimesSampler {
  readonly #stopping = new AbortController();
  readonly #samples: BrowserTimes[] = [];
  #sampling: Promise<void> | null = null;

  /** @param browserPid the browser's first process, which leads the group of the others */
  start(browserPid: number): void {
    this.#sampling = this.#sample(browserPid);
  }

  /** What was read; empty where it was never started, or the system does not tell. */
  async stop(): Promise<readonly BrowserTimes[]> {
    this.#stopping.abort();
    await this.#sampling;
    return this.#samples;
  }

  async #sample(browserPid: number): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const threads = await readThreads(browserPid);
      if (threads.length > 0) {
        this.#samples.push(sumThreads(threads, performance.timeOrigin + performance.now()));
      }
      await setTimeout(SAMPLE_MS, undefined, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }
}

async function readThreads(browserPid: number): Promise<ThreadTime[]> {
  const commands = new Map<string, string>();
  const threads: ThreadTime[] = [];
  for (const { processFolder, threadFolder, isFirst, usedSeconds } of await threadsOf([browserPid])) {
    const command = commands.get(processFolder) ?? (await textOf(`${processFolder}/cmdline`));
    commands.set(processFolder, command);
    const name = (await textOf(`${threadFolder}/comm`)).trim();
    threads.push({ command, isMain: isFirst, name, seconds: usedSeconds });
  }
  return threads;
}
