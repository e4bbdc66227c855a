/** One sentence for the viewer, above the film: the newest of those that still hold. */
export class Notice {
  readonly #element: HTMLElement;
  /** By what they are about, the newest last. */
  readonly #sentences = new Map<string, string>();

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  get text(): string | null {
    return [...this.#sentences.values()].at(-1) ?? null;
  }

  /** Says this until another sentence is shown on the same matter, or the matter is over. */
  show(text: string, matter: string): void {
    this.#sentences.delete(matter);
    this.#sentences.set(matter, text);
    this.#write();
  }

  /** Whether this is what was said last on the matter. */
  says(text: string, matter: string): boolean {
    return this.#sentences.get(matter) === text;
  }

  /** The matter is over; what else holds is shown again. */
  clear(matter: string): void {
    if (this.#sentences.delete(matter)) {
      this.#write();
    }
  }

  #write(): void {
    const { text } = this;
    if (this.#element.textContent !== text) {
      this.#element.textContent = text;
      this.#element.hidden = text === null;
    }
  }
}
