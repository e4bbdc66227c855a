/**
 * Something that whoever started the program can mend. The message is one sentence that names the thing and says what
 * to do; it is shown without a stack.
 */
export class Problem extends Error {
  /** @override */
  name = "Problem";

  /**
   * @param {string} sentence
   * @param {{exitCode?: number, detail?: string}} [more] exit code (2: what was asked for cannot be done as it was
   *   asked for), and lines to show above the sentence
   */
  constructor(sentence, { exitCode = 2, detail = "" } = {}) {
    super(sentence);
    this.exitCode = exitCode;
    this.detail = detail;
  }
}
