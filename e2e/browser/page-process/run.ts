/**
 * The browser's side of a run: serves the page on localhost and drives a browser that opens it. Behind an emulated link this
 * process lives in the link's network namespace. It ends when its stdin closes.
 */
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Browser } from "puppeteer";
import { RULES } from "../../../player/src/rules/registry.ts";
import { pageOrigins } from "../../../server/addresses.ts";
import { createApp } from "../../../server/app.ts";
import { FilmShelf } from "../../../server/films/film-shelf.ts";
import { listen } from "../../../server/http-server.ts";
import { createLog } from "../../../server/log.ts";
import { launchBrowser, openPage } from "../browsers/browser.ts";
import { downloadBulk } from "./download-bulk.ts";
import type { Job, JobResult, Notice, TransportAddress } from "./job.ts";
import { SessionGate } from "./session-gate.ts";
import { watchFilm } from "./watch-film.ts";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

function notify(notice: Notice): void {
  process.stdout.write(`${JSON.stringify(notice)}\n`);
}

async function readLine(): Promise<string> {
  const next = await lines.next();
  if (next.done === true) throw new Error("stdin closed before the job began");
  return next.value;
}

async function main(): Promise<void> {
  const job = JSON.parse(await readLine()) as Job;
  let transport: TransportAddress | null = null;
  const log = createLog("warn", (line) => process.stderr.write(line));
  let origins: readonly string[] = [];
  const { presentation, ...given } = job.app;
  const app = createApp({
    ...given,
    films: FilmShelf.ofOne(presentation),
    rules: RULES,
    log,
    transport: () => transport,
    origins: () => origins,
    sessionHosts: () => (transport === null ? [] : [transport.host]),
  });
  const gate = new SessionGate(app);
  const server = await listen(gate.listener, { host: "127.0.0.1", port: 0 });
  origins = pageOrigins("127.0.0.1", server.port);
  notify({ event: "listening", port: server.port });
  transport = JSON.parse(await readLine()) as TransportAddress;

  const browser = await launchBrowser(job.program);
  const stopping = new AbortController();
  const stopped = stdinClosed().then(() =>
    stopping.abort(new Error("stdin closed before the work was done")),
  );
  const closed = stopped.then(() => browser.close());
  try {
    notify({ event: "browser", pid: processOf(browser) });
    const url = `http://localhost:${server.port}${job.page}`;
    const result = await work({ browser, job, url, gate, signal: stopping.signal });
    await writeFile(job.resultFile, JSON.stringify(result));
    notify({ event: "done" });
    await closed;
  } finally {
    await browser.close();
    await server.close();
  }
}

/** The browser's process, which whoever started this one ends if this one cannot. */
function processOf(browser: Browser): number {
  const pid = browser.process()?.pid;
  if (pid === undefined) throw new Error("the browser has no process that could be ended: it did not start");
  return pid;
}

interface Work {
  browser: Browser;
  job: Job;
  url: string;
  gate: SessionGate;
  signal: AbortSignal;
}

async function work({ browser, job, url, gate, signal }: Work): Promise<JobResult> {
  const opened = job.openAtMs === null ? gate.open() : gate.openAt(job.openAtMs, signal);
  opened.catch(() => undefined); // who stops the work says so below
  const { page, problems } = await openPage(browser, url);
  try {
    const working =
      job.work.kind === "film" ? watchFilm(page, job.work, signal) : downloadBulk(page, job.work);
    working.catch(() => undefined); // a page that was late ends the work first
    await Promise.race([working, opened]);
    const [data, openedAtMs] = await Promise.all([working, opened]);
    if (data.kind === "film" && job.openAtMs !== null) data.playback.navigatedAtMs = openedAtMs;
    return { browserVersion: await browser.version(), problems, openedAtMs, page: data };
  } catch (error) {
    signal.throwIfAborted();
    const heard = problems.length === 0 ? "" : ` The page said: ${problems.join("; ")}`;
    throw new Error(`${error instanceof Error ? error.message : String(error)}.${heard}`, { cause: error });
  } finally {
    if (!signal.aborted) await page.screenshot({ path: job.screenshotFile });
  }
}

async function stdinClosed(): Promise<void> {
  while ((await lines.next()).done !== true);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
