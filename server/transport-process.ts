import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { TransportInfo } from "./addresses.ts";

/** The transport did not start; the message is one sentence. */
export class TransportError extends Error {
  override name = "TransportError";
}

/** How to start the transport. */
export interface TransportCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** How long it may take to say that it is ready. */
  readonly readyTimeoutMs: number;
  /** Each line that it writes to stderr: its log. */
  readonly onLogLine: (line: string) => void;
}

/** A transport that has said that it is ready. */
export interface RunningTransport {
  readonly info: TransportInfo;
  /** Time of the epoch from which on no browser trusts it any more. */
  readonly certificateNotAfterMs: number;
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  /** Closes its standard input, which asks it to end, then makes it; resolves when it has. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 3_000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts the transport and waits for its ready line. Its standard input is a pipe that nothing is written to: it closes
 * when this process ends, however it ends, and the transport ends with it.
 *
 * @throws TransportError if it cannot be run, ends early, or says nothing in time
 */
export async function startTransport(
  command: TransportCommand,
  signal: AbortSignal,
): Promise<RunningTransport> {
  const child = spawn(command.program, command.args, { cwd: command.cwd, stdio: ["pipe", "pipe", "pipe"] });
  const ended = endOf(child);
  const lastLine = relayLog(child, command.onLogLine);
  child.stdin.on("error", () => undefined); // the pipe breaks when the child ends; `ended` tells that
  const stop = async () => {
    child.stdin.end();
    const giveUp = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(giveUp);
  };
  try {
    const said = await readyLine(child, { ended, lastLine, timeoutMs: command.readyTimeoutMs, signal });
    return { ...said, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function endOf(child: Child): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`could not be run (${error.message})`));
    child.once("close", (code, signalName) => {
      resolve(signalName === null ? `ended with exit code ${code}` : `was ended by ${signalName}`);
    });
  });
}

/** @returns the last line so far, which says most about an early end */
function relayLog(child: Child, onLogLine: (line: string) => void): () => string {
  let last = "";
  createInterface({ input: child.stderr }).on("line", (line) => {
    last = line;
    onLogLine(line);
  });
  return () => last;
}

interface Waiting {
  readonly ended: Promise<string>;
  readonly lastLine: () => string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function readyLine(child: Child, { ended, lastLine, timeoutMs, signal }: Waiting): Promise<ReadyLine> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      const said = lastLine() === "" ? "" : `; its last words were: ${lastLine()}`;
      settle(() => reject(new TransportError(`the transport ${what}${said}`)));
    };
    const timer = setTimeout(
      () => fail(`did not say that it is ready within ${timeoutMs / 1000} s`),
      timeoutMs,
    );
    const onAbort = () => settle(() => reject(signal.reason));
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    void ended.then((how) => fail(`${how} before it was ready`));
    createInterface({ input: child.stdout }).once("line", (line) => {
      const said = parseReadyLine(line);
      if (said === null) fail(`wrote something else than its ready line (${line.slice(0, 200)})`);
      else settle(() => resolve(said));
    });
  });
}

export type ReadyLine = Pick<RunningTransport, "info" | "certificateNotAfterMs">;

/** @returns null if the line is not what `python -m transport serve` promises */
export function parseReadyLine(line: string): ReadyLine | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof message !== "object" || message === null) return null;
  const { event, host, port, ...certificate } = message as Readonly<Record<string, unknown>>;
  const { certificate_sha256: hashes, certificate_not_after: notAfter } = certificate;
  if (event !== "ready" || typeof host !== "string" || typeof port !== "number") return null;
  if (!Array.isArray(hashes) || !hashes.every((hash) => typeof hash === "string")) return null;
  const certificateNotAfterMs = typeof notAfter === "string" ? Date.parse(notAfter) : Number.NaN;
  if (Number.isNaN(certificateNotAfterMs)) return null;
  return { info: { host, port, certificateHashes: hashes }, certificateNotAfterMs };
}
