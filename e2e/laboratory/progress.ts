import { SingleBar } from "cli-progress";

/** How far a matrix has come, on standard error: a bar on a terminal, a line for each tenth elsewhere. */
export interface Progress {
  /** What is being run. */
  note(text: string): void;
  /** A run is over. */
  advance(): void;
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
  return {
    note: (note) => {
      single.update({ note });
    },
    advance: () => {
      single.increment();
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

function lines({ total, done, output }: ProgressOptions): Progress {
  let finished = done;
  const tenth = () => Math.floor((10 * finished) / total);
  return {
    note: () => undefined,
    advance: () => {
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
