import { SingleBar } from "cli-progress";

/** How far a matrix has come, on standard error: a bar on a terminal, a line for each tenth elsewhere. */
export interface Progress {
  /** A run has begun; several may be under way. */
  begin(run: string): void;
  /** It is over. */
  finish(run: string): void;
  /** A line that stays. */
  say(line: string): void;
  stop(): void;
}

export interface ProgressOptions {
  total: number;
  /** Of them, done before. */
  done: number;
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

export function showProgress(options: ProgressOptions): Progress {
  return options.output.isTTY === true ? bar(options) : lines(options);
}

function bar({ total, done, output }: ProgressOptions): Progress {
  const single = new SingleBar({
    ...{ stream: output, barsize: 24, barCompleteChar: "#", barIncompleteChar: ".", etaBuffer: 20 },
    ...{ hideCursor: true, linewrap: true, gracefulExit: false },
    format: "[{bar}] {value} of {total} runs, {eta_formatted} left  {note}",
  });
  single.start(total, done, { note: "" });
  const running: string[] = [];
  return {
    begin: (run) => {
      running.push(run);
      single.update({ note: describeRunning(running) });
    },
    finish: (run) => {
      running.splice(running.indexOf(run), 1);
      single.increment(1, { note: describeRunning(running) });
    },
    say: (line) => {
      output.write(`\r\u001b[K${line}\n`);
    },
    stop: () => {
      single.update({ note: "" });
      single.stop();
    },
  };
}

/** What is said of the runs under way, the first of which began first. */
export function describeRunning([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function lines({ total, done, output }: ProgressOptions): Progress {
  let finished = done;
  const tenth = () => Math.floor((10 * finished) / total);
  return {
    begin: () => undefined,
    finish: () => {
      const before = tenth();
      finished += 1;
      if (tenth() > before) output.write(`${finished} of ${total} runs\n`);
    },
    say: (line) => {
      output.write(`${line}\n`);
    },
    stop: () => undefined,
  };
}
