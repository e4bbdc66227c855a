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
  /** CPU seconds used so far are those of this process. */
  pid: number;
  /** Ends the relay; gives the downlink's log. A second call waits for the first and gives the same. */
  close(): Promise<string>;
}

const START_LIMIT_MS = 20_000;

/** Starts the relay of `transport/` in front of a server on 127.0.0.1, with the very traces that mahimahi would get. */
export async function openLinkRelay(upstreamPort: number, link: LinkParameters): Promise<LinkRelay> {
  const directory = await mkdtemp(join(tmpdir(), "nuwa-relay-"));
  const log = join(directory, "downlink.log");
  try {
    await writeFile(join(directory, "link.down"), link.traces.downlink);
    await writeFile(join(directory, "link.up"), link.traces.uplink);
    const child = await Child.start({
      name: "relay",
      command: PYTHON,
      args: relayArguments(upstreamPort, link, directory, log),
      cwd: ROOT,
    });
    const port = await readPort(child);
    let closing: Promise<string> | null = null;
    const close = () => {
      closing ??= closeRelay(child, directory, log);
      return closing;
    };
    return {
      port,
      pid: child.pid,
      close,
      [Symbol.asyncDispose]: async () => {
        await close();
      },
    };
  } catch (error) {
    await rm(directory, { recursive: true });
    throw error;
  }
}

function relayArguments(upstreamPort: number, link: LinkParameters, directory: string, log: string) {
  return [
    ...["-m", "transport", "relay", "--upstream", `127.0.0.1:${upstreamPort}`, "--control"],
    ...["--link", join(directory, "link.down"), "--delay", String(link.delayMs)],
    ...["--queue", String(link.queuePackets), "--loss", String(link.lossRatio), "--log", log],
  ];
}

async function closeRelay(child: Child, directory: string, log: string): Promise<string> {
  await child.stop();
  const text = await readFile(log, "utf8");
  await rm(directory, { recursive: true });
  return text;
}

async function readPort(child: Child): Promise<number> {
  try {
    const line = await child.nextLine(START_LIMIT_MS);
    const ready = JSON.parse(line) as { event?: unknown; lanes?: { port?: unknown }[] };
    const port = ready.lanes?.[0]?.port;
    if (ready.event !== "ready" || typeof port !== "number") {
      throw new LinkError(`the relay said "${line}" instead of that it is ready`);
    }
    return port;
  } catch (error) {
    await child.stop();
    throw error;
  }
}
