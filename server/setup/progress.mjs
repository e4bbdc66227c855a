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
   * How much is done, 0 to 1: a bar on a terminal, each tenth in a log.
   *
   * @param {number} ratio
   */
  show(ratio) {
    const step = this.#stream.isTTY ? 1 : 10;
    const percent = step * Math.floor((100 * Math.min(1, Math.max(0, ratio))) / step);
    if (percent === this.#shownPercent) return;
    this.#shownPercent = percent;
    const bar = "#".repeat(Math.round(percent / 5)).padEnd(20);
    this.#stream.write(
      this.#stream.isTTY ? `\r${this.#title} [${bar}] ${percent} % ... ` : `${percent} % ... `,
    );
  }

  /** @param {string} [note] what came of it */
  end(note = "") {
    const seconds = ((performance.now() - this.#startedAtMs) / 1000).toFixed(1);
    this.#stream.write(`${note}${note === "" ? "" : ", "}${seconds} s\n`);
  }

  /**
   * The task did not finish; the reason follows elsewhere.
   *
   * @param {AbortSignal} signal whether it was told to stop
   */
  fail(signal) {
    this.end(signal.aborted ? "stopped" : "failed");
  }
}
