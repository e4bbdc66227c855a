import { hideWithFocus } from "./keep-focus.ts";

/**
 * A sentence in room for some lines, so that nothing moves when a longer one comes. What of it the style cuts off is read by
 * screen readers all the same; for whoever sees it a press shows the whole.
 */
export class UnfoldingText {
  readonly #text: HTMLElement;
  readonly #toggle: HTMLButtonElement;

  constructor(text: HTMLElement, toggle: HTMLButtonElement) {
    this.#text = text;
    this.#toggle = toggle;
    toggle.addEventListener("click", () => {
      this.#unfold(!this.#isUnfolded);
      this.#offerWhereCut();
    });
    new ResizeObserver(() => this.#offerWhereCut()).observe(text);
  }

  /** Another sentence is folded, as the first one is. */
  show(sentence: string): void {
    if (this.#text.textContent !== sentence) {
      this.#text.textContent = sentence;
      this.#unfold(false);
      this.#offerWhereCut();
    }
  }

  get #isUnfolded(): boolean {
    return this.#toggle.getAttribute("aria-expanded") === "true";
  }

  #unfold(isUnfolded: boolean): void {
    this.#toggle.setAttribute("aria-expanded", String(isUnfolded));
  }

  #offerWhereCut(): void {
    if (this.#isUnfolded) {
      return;
    }
    const isCut = this.#text.scrollHeight > this.#text.clientHeight;
    if (isCut) {
      this.#toggle.hidden = false;
    } else if (!this.#toggle.hidden) {
      hideWithFocus(this.#toggle);
    }
  }
}
