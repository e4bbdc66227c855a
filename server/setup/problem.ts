/**
 * Something that whoever started the program can put right. The message is one sentence that names the thing and says what
 * to do; it is shown without a stack.
 */
export class Problem extends Error {
  override name = "Problem";
  /** 2: what was asked for cannot be done as it was asked for. */
  readonly exitCode: number;
  /** Lines to show above the sentence. */
  readonly detail: string;

  constructor(sentence: string, { exitCode = 2, detail = "" } = {}) {
    super(sentence);
    this.exitCode = exitCode;
    this.detail = detail;
  }
}
