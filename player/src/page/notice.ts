/** One sentence for the viewer, above the film. */
export class Notice {
  readonly #element: HTMLElement;
  #text: string | null = null;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  get text(): string | null {
    return this.#text;
  }

  show(text: string): void {
    this.#text = text;
    this.#element.textContent = text;
    this.#element.hidden = false;
  }

  clear(): void {
    this.#text = null;
    this.#element.textContent = "";
    this.#element.hidden = true;
  }
}
