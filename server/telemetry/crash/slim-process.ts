import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { BUILD } from "../../setup/paths.ts";

/** The slim server as one file of JavaScript, since it is started a thousand times. */
export interface SlimProgram {
  readonly path: string;
  remove(): void;
}

/** Bundles the slim server; DuckDB stays outside, as it is no JavaScript. */
export async function buildSlimServer(): Promise<SlimProgram> {
  const folder = join(BUILD, "telemetry-crash", String(process.pid)); // beneath node_modules' folder, where imports are found
  const external = ["@duckdb/node-api"];
  await build({
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true, external },
    build: {
      ssr: fileURLToPath(new URL("slim-server.ts", import.meta.url)),
      outDir: folder,
      rolldownOptions: { external },
    },
  });
  return {
    path: join(folder, "slim-server.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A slim server in a process of its own. */
export class SlimProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;
  #errors = "";

  /** @param maxFileKiB of each file that it writes: to it, the disk is full then; it can be raised later */
  constructor(program: SlimProgram, directory: string, maxFileKiB: number | null = null) {
    const limit = maxFileKiB === null ? "" : `ulimit -S -f ${maxFileKiB};`;
    this.#child = spawn("sh", ["-c", `${limit} exec "$@"`, "sh", process.execPath, program.path, directory]);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#ended = once(this.#child, "close");
    this.#child.stdin.on("error", () => undefined); // the process was killed: `kill` waits for its end
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
  }

  /** Resolves when it has loaded its code and waits. */
  async loaded(): Promise<void> {
    await this.#message();
  }

  /** What it logged: warnings and errors. */
  get log(): string {
    return this.#errors;
  }

  beginServing(): void {
    this.#child.stdin.write("serve\n");
  }

  /** Port of a server that was told to begin. */
  async port(): Promise<number> {
    const { port } = await this.#message();
    if (port === undefined) throw new Error("the slim server is ready, but names no port");
    return port;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** By SIGKILL: nothing of it has a say in its end. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  async #message(): Promise<{ event: string; port?: number }> {
    const { done, value } = await this.#lines.next();
    if (done === true) throw new Error(`the slim server ended: ${this.#errors}`);
    return JSON.parse(value) as { event: string; port?: number };
  }
}
