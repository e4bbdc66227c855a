/** What a long task tells while it runs; one line of output each. */
export class ProgressLine {
  #stream;
  #title;
  #startedAtMs = performance.now();
  #shownPercent = 0;

  /**
   * @param {Pick<NodeJS.WriteStream, "write" | "isTTY">} stream
   * @param {string} title
   */
  constructor(stream, title) {
    this.#stream = stream;
    this.#title = title;
    stream.write(`${title} ... `);
  }

  /**
   * How much is done, 0 to 1. Shown on a terminal only: a log keeps one line for each task.
   *
   * @param {number} ratio
   */
  show(ratio) {
    const percent = Math.floor(100 * Math.min(1, Math.max(0, ratio)));
    if (!this.#stream.isTTY || percent === this.#shownPercent) return;
    this.#shownPercent = percent;
    const filled = Math.round(percent / 5);
    this.#stream.write(`\r${this.#title} [${"#".repeat(filled).padEnd(20)}] ${percent} % ... `);
  }

  /** @param {string} [note] what came of it */
  end(note = "") {
    const seconds = ((performance.now() - this.#startedAtMs) / 1000).toFixed(1);
    this.#stream.write(`${note}${note === "" ? "" : ", "}${seconds} s\n`);
  }

  /** The task did not finish; the reason follows elsewhere. */
  fail() {
    this.end("failed");
  }
}
