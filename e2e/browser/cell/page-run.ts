import { fileURLToPath } from "node:url";
import { ROOT } from "../environment.ts";
import type { LinkShell } from "../link/shell.ts";
import type { Job, Notice, TransportAddress } from "../page-process/job.ts";
import { Child, ChildError } from "../process/child.ts";

const ENTRY = fileURLToPath(new URL("../page-process/run.ts", import.meta.url));
const START_LIMIT_MS = 30_000;

/** The process that serves the page and drives the browser, behind the link if there is one. */
export class PageRun {
  /** Origin of the page. */
  readonly origin: string;
  readonly #child: Child;
  #browserPid: number | null = null;
  #stopping: Promise<void> | null = null;

  private constructor(child: Child, origin: string) {
    this.#child = child;
    this.origin = origin;
  }

  static async start(job: Job, shell: LinkShell | null): Promise<PageRun> {
    const args = ["--import", "tsx", ENTRY];
    const own = { command: process.execPath, args };
    const { command, args: allArgs } = shell === null ? own : shell.inside(process.execPath, args);
    const child = await Child.start({ name: "page", command, args: allArgs, cwd: ROOT });
    try {
      child.send(JSON.stringify(job));
      const notice = await nextNotice(child, START_LIMIT_MS);
      if (notice.event !== "listening") throw new ChildError(`the page said "${notice.event}" too early`);
      return new PageRun(child, `http://localhost:${notice.port}`);
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  /**
   * Opens the page and does the job's work; the result is then in the job's result file.
   *
   * @param onBrowser is told the browser's process
   */
  async work(
    transport: TransportAddress,
    limitSeconds: number,
    onBrowser: (pid: number) => void = () => undefined,
  ): Promise<void> {
    this.#child.send(JSON.stringify(transport));
    const opened = await nextNotice(this.#child, START_LIMIT_MS);
    if (opened.event === "browser") {
      this.#browserPid = opened.pid;
      onBrowser(opened.pid);
    }
    const done = await nextNotice(this.#child, limitSeconds * 1000);
    if (done.event !== "done") throw new ChildError(`the page said "${done.event}" instead of being done`);
  }

  async stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #stopAll(): Promise<void> {
    await this.#child.stop();
    if (this.#browserPid !== null) killGroup(this.#browserPid);
  }
}

async function nextNotice(child: Child, limitMs: number): Promise<Notice> {
  return JSON.parse(await child.nextLine(limitMs)) as Notice;
}

/** puppeteer gives the browser a process group of its own; normally it has ended with the page's process. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
