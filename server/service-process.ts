import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** A service did not start; the message is one sentence. */
export class ServiceError extends Error {
  override name = "ServiceError";
}

/** A program that serves beside the web server and speaks in lines of JSON. */
export interface ServiceCommand {
  /** What sentences call it, as in `the media server`. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take to say that it is ready. */
  readonly readyTimeoutMs: number;
  /** Each line that it writes to stderr: its log. */
  readonly onLogLine: (line: string) => void;
}

/** A line of a service's standard output. */
export type Message = Readonly<Record<string, unknown>>;

/** A service that has said that it is ready. */
export interface RunningService<Ready> {
  readonly ready: Ready;
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  /** Writes a line of JSON to its standard input; without effect once it has ended. */
  send(message: Message): void;
  /** Ends it outright. */
  kill(): void;
  /** Closes its standard input, which asks it to end, then makes it; resolves when it has. */
  stop(): Promise<void>;
}

export interface StartOptions<Ready> {
  readonly command: ServiceCommand;
  /** @returns null if the first message is not what the service promises */
  readonly parseReady: (message: Message) => Ready | null;
  /** Told each message after the first. */
  readonly onMessage: (message: Message) => void;
  readonly signal: AbortSignal;
}

const STOP_TIMEOUT_MS = 3_000;
/** In which a service's last words are read once it has ended. */
const LAST_WORDS_MS = 200;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a service and waits for its ready line. Its standard input is a pipe: it closes when this process ends, however
 * it ends, and the service ends with it.
 *
 * @throws ServiceError if it cannot be run, ends early, or says nothing in time
 */
export async function startService<Ready>(options: StartOptions<Ready>): Promise<RunningService<Ready>> {
  const { name, program, args, cwd, env = {}, onLogLine } = options.command;
  const child = begin(options.command.name, () =>
    spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] }),
  );
  const ended = endOf(child);
  if (!hasPipes(child)) throw new ServiceError(`the ${name} ${await ended}`);
  const lastLine = relayLog(child, onLogLine);
  child.stdin.on("error", () => undefined); // the pipe breaks when the child ends; `ended` tells that
  const stop = async () => {
    child.stdin.end();
    const giveUp = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(giveUp);
  };
  try {
    const ready = await untilReady(child, { ...options, ended, lastLine });
    return {
      ready,
      ended,
      send: (message) => {
        if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`);
      },
      kill: () => child.kill("SIGKILL"),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Node tells some failures by an event, and throws others, such as too little memory. @throws ServiceError */
function begin(name: string, run: () => Child): Child {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new ServiceError(`the ${name} could not be run (${error.message})`);
  }
}

/** Node's types know nothing of it, but a process for which no file could be opened any more has none. */
function hasPipes(child: Partial<Child>): boolean {
  return child.stdin !== undefined && child.stdin !== null;
}

function endOf(child: Child): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`could not be run (${error.message})`));
    child.once("exit", (code, signalName) => {
      const how = signalName === null ? `ended with exit code ${code}` : `was ended by ${signalName}`;
      // a process that it has started may hold its pipes, and hang: they are not waited for
      const letGo = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(how);
      }, LAST_WORDS_MS);
      child.once("close", () => {
        clearTimeout(letGo);
        resolve(how);
      });
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

interface Waiting<Ready> extends StartOptions<Ready> {
  readonly ended: Promise<string>;
  readonly lastLine: () => string;
}

function untilReady<Ready>(child: Child, waiting: Waiting<Ready>): Promise<Ready> {
  const { command, parseReady, onMessage, signal, ended, lastLine } = waiting;
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      const said = lastLine() === "" ? "" : `; its last words were: ${lastLine()}`;
      settle(() => reject(new ServiceError(`the ${command.name} ${what}${said}`)));
    };
    const timer = setTimeout(
      () => fail(`did not say that it is ready within ${command.readyTimeoutMs / 1000} s`),
      command.readyTimeoutMs,
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
    const lines = createInterface({ input: child.stdout });
    lines.once("line", (first) => {
      const ready = parseReady(parseMessage(first) ?? {});
      if (ready === null) {
        fail(`wrote something else than its ready line (${first.slice(0, 200)})`);
        return;
      }
      lines.on("line", (line) => {
        const message = parseMessage(line);
        if (message === null) command.onLogLine(line);
        else onMessage(message);
      });
      settle(() => resolve(ready));
    });
  });
}

/** @returns null if the line is not an object in JSON */
export function parseMessage(line: string): Message | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return typeof message === "object" && message !== null && !Array.isArray(message) ? { ...message } : null;
}
