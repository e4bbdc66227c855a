/**
 * The product as `npm start` runs it once all is set up, and a hand on its transport. Takes an order on stdin, then commands;
 * says on stdout which transport runs. Ends when stdin closes.
 */
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { RULES } from "../../../player/src/rules/registry.ts";
import { packagedFilm } from "../../../server/films/film.ts";
import { FilmShelf } from "../../../server/films/film-shelf.ts";
import { serve } from "../../../server/main.ts";
import { chooseLink } from "../../../server/setup/links.ts";
import { parseStartOptions } from "../../../server/setup/options.ts";
import { POLICIES } from "../../../server/setup/paths.ts";
import { beginningWith } from "../../../server/setup/registry.ts";
import { readCatalogues } from "./catalogues.ts";
import type { Command, Order, Said } from "./messages.ts";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let transport: ChildProcess | null = null;
let isKeptDown = false;

async function main(): Promise<number> {
  const first = await lines.next();
  if (first.done === true) throw new Error("stdin closed before the order came");
  const {
    args,
    presentation,
    playerDirectory,
    certificate = null,
    policyDirectory = POLICIES,
    catalogues = await readCatalogues(),
  } = JSON.parse(first.value) as Order;
  const { registry, links } = catalogues;
  watchTransports();
  const stopping = new AbortController();
  void obey().finally(() => stopping.abort());
  // one process to kill, freeze and measure, and no link but the one that is asked for
  const options = parseStartOptions(["--workers", "1", "--link", "none", ...args], {});
  const link = chooseLink(options.link, links);
  const { signal } = stopping;
  const folders = { playerDirectory, policyDirectory };
  return serve({
    options,
    certificate,
    registry,
    rules: RULES,
    defaults: beginningWith(options, registry),
    films: new FilmShelf([packagedFilm(presentation)], join(options.data, "films")),
    ...folders,
    links: links.choices,
    link,
    signal,
  });
}

/** Node tells on this channel of every child before it is started; server/ needs no hook for it. */
function watchTransports(): void {
  subscribe("child_process", (message) => {
    const child = (message as { process: ChildProcess }).process;
    child.once("spawn", () => {
      if (!child.spawnargs.includes("serve")) return;
      transport = child;
      if (isKeptDown) child.kill("SIGKILL");
      else announce(child);
    });
  });
}

/** Says where it listens as soon as it says so itself. */
function announce(child: ChildProcess): void {
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) return;
  createInterface({ input: stdout }).on("line", (line) => {
    const { event, port } = JSON.parse(line) as { event?: unknown; port?: unknown };
    if (event !== "ready" || typeof port !== "number") return;
    say({ event: "transport", pid, port });
  });
}

function say(said: Said): void {
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

async function obey(): Promise<void> {
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const { command } = JSON.parse(next.value) as Command;
    if (command === "collect-garbage") await collectGarbage();
    else keepDown();
  }
}

function keepDown(): void {
  isKeptDown = true;
  transport?.kill("SIGKILL");
}

/** Through V8's inspector, which needs no option of Node's. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
  const { heapUsed, heapTotal, external } = process.memoryUsage();
  say({ event: "collected", held: { heap: heapUsed + external, reserved: heapTotal + external } });
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
