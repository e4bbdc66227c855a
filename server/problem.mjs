/**
 * Something that whoever started the program can put right. The message is one sentence that names the thing and says what
 * to do; it is shown without a stack. Plain JavaScript, since the set-up raises it before any package is there.
 */
export class Problem extends Error {
  /** @override */
  name = "Problem";

  /**
   * @param {string} sentence
   * @param {{exitCode?: number, detail?: string}} [rest] `exitCode` 2: what was asked for cannot be done as it was asked
   * for; `detail`: lines to show above the sentence
   */
  constructor(sentence, { exitCode = 2, detail = "" } = {}) {
    super(sentence);
    this.exitCode = exitCode;
    this.detail = detail;
  }

  /**
   * Says it, and ends this process.
   *
   * @returns {never}
   */
  end() {
    if (this.detail !== "") process.stderr.write(`${this.detail}\n`);
    process.stderr.write(`nuwa-stream: ${this.message}\n`);
    process.exit(this.exitCode);
  }
}
