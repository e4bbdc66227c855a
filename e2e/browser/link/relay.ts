import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PYTHON, ROOT } from "../environment.ts";
import { Child } from "../process/child.ts";
import type { LinkParameters } from "./shell.ts";
import { LinkError } from "./trace.ts";

/** A running relay with one lane: clients send to its port, and the server sees the relay. */
export interface LinkRelay extends AsyncDisposable {
  /** On 127.0.0.1. */
  port: number;
  /** When the link's time began, ms since the Unix epoch. */
  startedAtMs: number;
  /** CPU seconds used so far are those of this process. */
  pid: number;
  /** Names the server on 127.0.0.1 that the relay is in front of. */
  connect(serverPort: number): Promise<void>;
  /**
   * Ends the relay; gives the downlink's log. A second call waits for the first and gives the same.
   * @throws LinkError where datagrams were lost beside the link
   */
  close(): Promise<string>;
}

const START_LIMIT_MS = 20_000;
const ANSWER_LIMIT_MS = 5_000;
const NO_SERVER = "127.0.0.1:9"; // the discard port, until there is one

/**
 * Starts the relay of `transport/` with the very traces that mahimahi would get. As with mahimahi's shell the link's time begins
 * now, before there is a server.
 */
export async function openLinkRelay(link: LinkParameters): Promise<LinkRelay> {
  const directory = await mkdtemp(join(tmpdir(), "nuwa-relay-"));
  const log = join(directory, "downlink.log");
  try {
    await writeFile(join(directory, "link.down"), link.traces.downlink);
    await writeFile(join(directory, "link.up"), link.traces.uplink);
    const child = await Child.start({
      name: "relay",
      command: PYTHON,
      args: relayArguments(link, directory, log),
      cwd: ROOT,
    });
    const { port, startedAtMs } = await readReady(child);
    let closing: Promise<string> | null = null;
    const close = () => {
      closing ??= closeRelay(child, directory, log);
      return closing;
    };
    return {
      port,
      startedAtMs,
      pid: child.pid,
      connect: (serverPort) => connect(child, serverPort),
      close,
      [Symbol.asyncDispose]: async () => {
        await close().catch(() => undefined); // told to who closes it for its log
      },
    };
  } catch (error) {
    await rm(directory, { recursive: true });
    throw error;
  }
}

function relayArguments(link: LinkParameters, directory: string, log: string): string[] {
  return [
    ...["-m", "transport", "relay", "--upstream", NO_SERVER, "--control"],
    ...["--link", join(directory, "link.down"), "--delay", String(link.delayMs)],
    ...["--loss", String(link.lossRatio), "--seed", String(link.seed ?? 1), "--log", log],
    ...["--clock", "mahimahi"],
    ...(link.queuePackets === null ? [] : ["--queue", String(link.queuePackets)]),
  ];
}

async function connect(child: Child, serverPort: number): Promise<void> {
  child.send(JSON.stringify({ command: "upstream", host: "127.0.0.1", port: serverPort }));
  const line = await child.nextLine(ANSWER_LIMIT_MS);
  const { event } = JSON.parse(line) as { event?: unknown };
  if (event !== "upstream") throw new LinkError(`the relay said "${line}" when told where the server is`);
}

async function closeRelay(child: Child, directory: string, log: string): Promise<string> {
  await child.stop();
  let lastLine: string | null = null;
  for await (const line of child.lines) lastLine = line;
  const text = await readFile(log, "utf8");
  await rm(directory, { recursive: true });
  if (lastLine !== null) requireAllSent(JSON.parse(lastLine) as Ended);
  return text;
}

/** What a relay says at its end of datagrams that its link would have carried, as `places/relay.py` reads it. */
interface Ended {
  datagrams_unsent?: number;
  datagrams_missed?: number;
  datagrams_refused?: number;
  datagrams_turned_away?: number;
}

function requireAllSent(ended: Ended): void {
  const lost = [
    [ended.datagrams_unsent ?? 0, "that the system did not take"],
    [ended.datagrams_missed ?? 0, "that came faster than it read them"],
    [ended.datagrams_refused ?? 0, "of clients beyond its places"],
    [ended.datagrams_turned_away ?? 0, "too large, or beyond its memory"],
  ] as const;
  const kinds = lost.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`);
  if (kinds.length > 0) {
    throw new LinkError(
      `the relay lost datagrams beside its link (${kinds.join(", ")}); is the machine busy?`,
    );
  }
}

interface Ready {
  event?: unknown;
  lanes?: { port?: unknown }[];
  link?: { started_at_ms?: unknown };
}

async function readReady(child: Child): Promise<{ port: number; startedAtMs: number }> {
  try {
    const line = await child.nextLine(START_LIMIT_MS);
    const { event, lanes, link } = JSON.parse(line) as Ready;
    const port = lanes?.[0]?.port;
    const startedAtMs = link?.started_at_ms;
    if (event !== "ready" || typeof port !== "number" || typeof startedAtMs !== "number") {
      throw new LinkError(`the relay said "${line}" instead of that it is ready`);
    }
    return { port, startedAtMs };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
