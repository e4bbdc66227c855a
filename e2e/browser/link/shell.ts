import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Child } from "../process/child.ts";
import { runCommand } from "../setup/run-command.ts";
import { asOrdinaryUser, type Mahimahi } from "../setup/shell-command.ts";
import { parseLogHeader } from "./log.ts";
import { LinkError, type TracePair } from "./trace.ts";

export interface LinkParameters {
  traces: TracePair;
  /** Each way, ms. */
  delayMs: number;
  /** Of the downlink's queue, which drops at its tail; null is no limit. */
  queuePackets: number | null;
  /** Share of downlink packets lost at random behind the queue, 0 to below 1. */
  lossRatio: number;
  /** Of the relay's random loss; mahimahi's cannot be chosen. */
  seed?: number;
}

/** A mahimahi shell that is open: a network namespace behind the emulated link. */
export interface LinkShell extends AsyncDisposable {
  /** The outside world's address as seen from inside. */
  outsideAddress: string;
  /** When the link's time began, ms since the Unix epoch. */
  startedAtMs: number;
  /** Puts a command inside: to be run as root, it runs there with this process's own user and files. */
  inside(command: string, args: readonly string[]): { command: string; args: string[] };
  /** Closes the shell; gives the downlink's log. A second call waits for the first and gives the same. */
  close(): Promise<string>;
}

const OPEN_LIMIT_MS = 20_000;

/**
 * Opens a mahimahi shell. mahimahi runs as its ordinary user and holds only `cat`; the commands of a run enter the shell's
 * network namespace from outside, so they need neither that user's rights nor files that it may read.
 */
export async function openLinkShell(mahimahi: Mahimahi, link: LinkParameters): Promise<LinkShell> {
  const directory = await mkdtemp(join(tmpdir(), "nuwa-link-"));
  try {
    const log = await writeFiles(directory, mahimahi, link);
    const { command, args } = asOrdinaryUser(mahimahi, mahimahiProgram(mahimahi, link, directory, log));
    const child = await Child.start({ name: "mahimahi", command, args, cwd: directory });
    const opened = await readOpening(child);
    let closing: Promise<string> | null = null;
    const close = () => {
      closing ??= closeShell(child, directory, log);
      return closing;
    };
    const startedAtMs = await readStart(log).catch(async (error: unknown) => {
      await child.stop();
      throw error;
    });
    return {
      outsideAddress: opened.outsideAddress,
      startedAtMs,
      inside: (inner, innerArgs) => ({
        command: "nsenter",
        args: [`--net=/proc/${opened.pid}/ns/net`, "--", inner, ...innerArgs],
      }),
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

/** mahimahi writes its log's header while what it runs inside begins. */
async function readStart(log: string): Promise<number> {
  const untilMs = Date.now() + OPEN_LIMIT_MS;
  for (;;) {
    const header = existsSync(log) ? await readFile(log, "utf8") : "";
    if (header.includes("\n# base timestamp:")) {
      const { startedAtMs, traceBeganMs } = parseLogHeader(header);
      return startedAtMs + traceBeganMs;
    }
    if (Date.now() > untilMs) throw new LinkError(`mahimahi began no log within ${OPEN_LIMIT_MS / 1000} s`);
    await setTimeout(10);
  }
}

async function closeShell(child: Child, directory: string, log: string): Promise<string> {
  await child.stop();
  const text = await readFile(log, "utf8");
  await rm(directory, { recursive: true });
  return text;
}

/** Puts the traces, and an empty directory for the log, where mahimahi's user can reach them. */
async function writeFiles(directory: string, mahimahi: Mahimahi, link: LinkParameters): Promise<string> {
  await chmod(directory, 0o755);
  await writeFile(join(directory, "down.trace"), link.traces.downlink);
  await writeFile(join(directory, "up.trace"), link.traces.uplink);
  const logs = join(directory, "log");
  await mkdir(logs);
  const uid = Number((await runCommand("id", ["-u", mahimahi.user])).stdout);
  await chown(logs, uid, uid);
  return join(logs, "down.log");
}

function mahimahiProgram(mahimahi: Mahimahi, link: LinkParameters, directory: string, log: string): string[] {
  const program = (name: string) => join(mahimahi.binaries, name);
  const loss = link.lossRatio > 0 ? [program("mm-loss"), "downlink", String(link.lossRatio)] : [];
  return [
    ...[program("mm-delay"), String(link.delayMs)],
    ...[program("mm-link"), join(directory, "up.trace"), join(directory, "down.trace")],
    `--downlink-log=${log}`,
    ...queueOptions(link),
    ...["--", ...loss],
    ...["sh", "-c", 'echo "$MAHIMAHI_BASE" $$; exec cat'],
  ];
}

function queueOptions({ queuePackets }: LinkParameters): string[] {
  if (queuePackets === null) return ["--downlink-queue=infinite"];
  return ["--downlink-queue=droptail", `--downlink-queue-args=packets=${queuePackets}`];
}

async function readOpening(child: Child): Promise<{ outsideAddress: string; pid: number }> {
  try {
    const line = await child.nextLine(OPEN_LIMIT_MS);
    const match = /^(\d+\.\d+\.\d+\.\d+) (\d+)$/.exec(line);
    if (match === null) throw new LinkError(`mahimahi's shell said "${line}" instead of its address`);
    return { outsideAddress: match[1] as string, pid: Number(match[2]) };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
