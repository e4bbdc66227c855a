/** What takes less is over before the rest of it can be judged. */
const WORTH_TELLING_MS = 3_000;

/** What a long task tells while it runs; one line of output each. */
export class ProgressLine {
  #stream;
  #title;
  #nowMs;
  #startedAtMs;
  #shownPercent = 0;
  #shownLength = 0;

  /**
   * @param {Pick<NodeJS.WriteStream, "write" | "isTTY">} stream
   * @param {string} title
   * @param {() => number} [nowMs] monotonic clock
   */
  constructor(stream, title, nowMs = () => performance.now()) {
    this.#stream = stream;
    this.#title = title;
    this.#nowMs = nowMs;
    this.#startedAtMs = nowMs();
    stream.write(`${title} ... `);
  }

  /**
   * How much is done, 0 to 1, and how long the rest takes at this pace: a bar on a terminal, each tenth in a log.
   *
   * @param {number} ratio
   */
  show(ratio) {
    const step = this.#stream.isTTY ? 1 : 10;
    const percent = step * Math.floor((100 * Math.min(1, Math.max(0, ratio))) / step);
    if (percent === this.#shownPercent) return;
    this.#shownPercent = percent;
    const left = this.#timeLeft(ratio);
    if (!this.#stream.isTTY) {
      this.#stream.write(`${percent} %${left} ... `);
      return;
    }
    const bar = "#".repeat(Math.round(percent / 5)).padEnd(20);
    const shown = `${this.#title} [${bar}] ${percent} %${left} ... `;
    this.#stream.write(`\r${shown.padEnd(this.#shownLength)}`); // over what may have been longer
    this.#shownLength = shown.length;
  }

  /** @param {number} ratio */
  #timeLeft(ratio) {
    const elapsedMs = this.#nowMs() - this.#startedAtMs;
    if (elapsedMs < WORTH_TELLING_MS || ratio <= 0 || ratio >= 1) return "";
    const seconds = (elapsedMs * (1 / ratio - 1)) / 1000;
    return seconds < 90
      ? `, about ${10 * Math.ceil(seconds / 10)} s left`
      : `, about ${Math.ceil(seconds / 60)} min left`;
  }

  /** @param {string} [note] what came of it */
  end(note = "") {
    const seconds = ((this.#nowMs() - this.#startedAtMs) / 1000).toFixed(1);
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
