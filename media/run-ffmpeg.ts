import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { diskFullError } from "./disk-space.ts";
import { endWithUs } from "./end-with-us.ts";
import { goLast } from "./go-last.ts";
import { MediaError } from "./media-error.ts";

const KEPT_STDERR_LINES = 60; // enough for every stream's last words
/** Of what it prints of itself, or of a film: its lists have 50 kB, and a film's maker may have it print a gigabyte. */
const MOST_PRINTED_CHARACTERS = 2 ** 20;

export interface FfmpegRun {
  readonly ffmpegPath: string;
  readonly arguments: readonly string[];
  /** Output file names in the arguments are relative to this folder. */
  readonly workingDirectory: string;
  /** What is being read, for messages: a path, or "the demo film". */
  readonly filmName: string;
  readonly onEncodedSeconds?: ((seconds: number) => void) | undefined;
  /** Whether all else on this machine goes first. */
  readonly isBackground?: boolean | undefined;
  /** After it, all else does. */
  readonly yieldsAfter?: Promise<void> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs ffmpeg to its end. Throws MediaError when it fails, and the signal's reason when it is aborted.
 *
 * @returns the last lines of what it complained about
 */
export async function runFfmpeg(run: FfmpegRun): Promise<readonly string[]> {
  run.signal?.throwIfAborted();
  const { child, ended } = await start(
    run.ffmpegPath,
    ["-hide_banner", "-nostdin", "-progress", "pipe:1", ...run.arguments],
    run.workingDirectory,
  );
  const yieldToOthers = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) goLast(child.pid);
  };
  if (run.isBackground === true) yieldToOthers();
  void run.yieldsAfter?.then(yieldToOthers);
  const killChild = () => child.kill("SIGKILL"); // nothing it wrote is kept, so it need not finish politely
  const letGo = child.pid === undefined ? undefined : endWithUs(child.pid);
  run.signal?.addEventListener("abort", killChild);
  process.once("exit", killChild); // which aborts no signal
  const stderrLines: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    stderrLines.push(line);
    if (stderrLines.length > KEPT_STDERR_LINES) stderrLines.shift();
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const microseconds = /^out_time_us=(\d+)$/.exec(line)?.[1];
    if (microseconds !== undefined) run.onEncodedSeconds?.(Number(microseconds) / 1e6);
  });
  try {
    const exitCode = await ended;
    run.signal?.throwIfAborted();
    if (exitCode !== 0) throw failureOf(stderrLines, run.filmName, exitCode);
    return stderrLines;
  } finally {
    letGo?.();
    process.off("exit", killChild);
    run.signal?.removeEventListener("abort", killChild);
  }
}

/** Runs ffmpeg for the first MiB that it prints (stdout and stderr together), whatever its exit code. */
export async function readFfmpegOutput(
  ffmpegPath: string,
  arguments_: readonly string[],
  signal?: AbortSignal,
): Promise<{ text: string; exitCode: number | null }> {
  const { child, ended } = await start(ffmpegPath, ["-nostdin", ...arguments_]);
  const killChild = () => child.kill("SIGKILL");
  signal?.addEventListener("abort", killChild);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk.slice(0, MOST_PRINTED_CHARACTERS - text.length);
    });
  }
  try {
    const exitCode = await ended;
    signal?.throwIfAborted();
    return { text, exitCode };
  } finally {
    signal?.removeEventListener("abort", killChild);
  }
}

/** One sentence from ffmpeg's last lines: what happened to which film, and what to do. */
export function failureOf(
  stderrLines: readonly string[],
  filmName: string,
  exitCode: number | null,
): MediaError {
  if (stderrLines.some((line) => /No space left on device|Disk quota exceeded/.test(line))) {
    return diskFullError(filmName);
  }
  const lastWords = lastUsefulLine(stderrLines) ?? `it ended with code ${exitCode}`;
  return new MediaError(
    `ffmpeg could not package ${filmName} (${lastWords}); check that the film plays, or try another one.`,
  );
}

const ABOUT_FFMPEG_ITSELF =
  /^$|Exiting with|Conversion failed|Task finished|Terminating thread|Nothing was written|Error opening (input|output) files?\b|At least one output file/;
const GENERAL = /^Error opening input: /; // true of every unreadable film; the line before it often tells why

/** The last line that says something about the film, without ffmpeg's address of the part that spoke. */
export function lastUsefulLine(stderrLines: readonly string[]): string | undefined {
  const useful = stderrLines
    .map((line) => line.replace(/^(\[[^\]]+ @ 0x[0-9a-f]+\]\s*)+/, "").trim())
    .filter((line) => !ABOUT_FFMPEG_ITSELF.test(line));
  return (useful.findLast((line) => !GENERAL.test(line)) ?? useful.at(-1))?.replace(/\.$/, "");
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Where no process can be started, or no file opened for its output: MediaError. */
async function start(
  ffmpegPath: string,
  arguments_: readonly string[],
  workingDirectory?: string,
): Promise<{ child: Child; ended: Promise<number | null> }> {
  const child = spawn(ffmpegPath, arguments_, { cwd: workingDirectory, stdio: ["ignore", "pipe", "pipe"] });
  const ended = exitCodeOf(child, ffmpegPath);
  if (!hasPipes(child)) await ended; // rejects
  return { child, ended };
}

/** Node's types know nothing of it, but a process for which no file could be opened any more has none. */
function hasPipes(child: Partial<Child>): boolean {
  return child.stdout !== undefined && child.stdout !== null;
}

const EXHAUSTED: readonly unknown[] = ["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"];

function exitCodeOf(child: ChildProcess, ffmpegPath: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause: NodeJS.ErrnoException) => {
      const advice = EXHAUSTED.includes(cause.code)
        ? "this machine has no file, process or memory left for it: try again later"
        : "set NUWA_FFMPEG to its path";
      const message = `ffmpeg could not be started at ${ffmpegPath} (${cause.code}); ${advice}.`;
      reject(new MediaError(message, { cause }));
    });
    child.once("close", resolve); // "close" comes after the last line was read, "exit" before
  });
}
