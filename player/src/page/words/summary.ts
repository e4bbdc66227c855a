import { setText } from "../dom/elements.ts";

/** How many ticks of the page a sentence stands. */
const TICKS = 40;

/** The text that says in words what the charts show: from the first measurement on, and then not too often. */
export class Summary {
  #untilNext = 0;

  /** @param sentence null while there is nothing to tell */
  tick(sentence: () => string | null): void {
    if (this.#untilNext > 0) {
      this.#untilNext -= 1;
      return;
    }
    const text = sentence();
    if (text !== null) {
      setText("summary", text);
      this.#untilNext = TICKS - 1;
    }
  }
}
