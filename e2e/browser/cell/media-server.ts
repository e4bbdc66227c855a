import { PYTHON, ROOT } from "../environment.ts";
import type { TransportAddress } from "../page-process/job.ts";
import { Child, ChildError } from "../process/child.ts";
import { cpuSeconds } from "../process/cpu-time.ts";
import type { MediaServerCommand } from "./parameters.ts";

/** Bounds a hang only. */
const START_LIMIT_MS = 120_000;

export interface MediaServerOptions {
  command: MediaServerCommand;
  directory: string;
  host: string;
  /** Of the page. */
  origin: string;
  /** Whose code serves; unset, this clone's. */
  clone?: string | null;
}

/** The media server of a run, as a process of its own. */
export class MediaServer {
  readonly port: number;
  readonly certificateHashes: string[];
  readonly #child: Child;

  private constructor(child: Child, port: number, certificateHashes: string[]) {
    this.#child = child;
    this.port = port;
    this.certificateHashes = certificateHashes;
  }

  static async start({
    command,
    directory,
    host,
    origin,
    clone = null,
  }: MediaServerOptions): Promise<MediaServer> {
    const child = await Child.start({
      name: "media server",
      command: PYTHON,
      args: [...command, directory, "--host", host, "--port", "0", "--origin", origin, "--stop-with-stdin"],
      cwd: clone ?? ROOT,
    });
    try {
      const { port, hashes } = parseReady(await child.nextLine(START_LIMIT_MS));
      return new MediaServer(child, port, hashes);
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  /** How the page reaches it at `host`. */
  addressAt(host: string): TransportAddress {
    return { host, port: this.port, certificateHashes: this.certificateHashes };
  }

  /** CPU seconds used so far; null where the system does not tell (not Linux). */
  async cpuSeconds(): Promise<number | null> {
    return process.platform === "linux" ? cpuSeconds(this.#child.pid) : null;
  }

  /** Whether it still serves, and what it said last. */
  get state(): { hasEnded: boolean; lastWords: string } {
    return { hasEnded: this.#child.hasEnded, lastWords: this.#child.lastWords };
  }

  /** Ends it; the lines that it has said since it was ready. */
  async finish(): Promise<string[]> {
    await this.#child.stop();
    const lines: string[] = [];
    for await (const line of this.#child.lines) lines.push(line);
    return lines;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stop();
  }
}

function parseReady(line: string): { port: number; hashes: string[] } {
  const ready = JSON.parse(line) as { event?: unknown; port?: unknown; certificate_sha256?: unknown };
  const { event, port, certificate_sha256: hashes } = ready;
  const areHashes = Array.isArray(hashes) && hashes.every((hash) => typeof hash === "string");
  if (event !== "ready" || typeof port !== "number" || !areHashes) {
    throw new ChildError(`media server said "${line}" instead of that it is ready`);
  }
  return { port, hashes };
}
