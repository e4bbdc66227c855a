/** What a viewer does with the charts: how much of the past they show, whether they stand still, which moment is read. */

import { ageText } from "./scale.ts";

export interface ChartControlElements {
  /** Values are seconds, or `all`. */
  readonly span: HTMLSelectElement;
  readonly pause: HTMLButtonElement;
  /** From the oldest moment (lowest) to now (highest). */
  readonly reading: HTMLInputElement;
}

export class ChartControls {
  readonly #elements: ChartControlElements;
  /** How long ago the moment was whose values are read; null for now. */
  #ageSeconds: number | null = null;
  #isPaused = false;

  constructor(
    elements: ChartControlElements,
    on: {
      readonly redraw: () => void;
      readonly pause: (isPaused: boolean) => void;
      readonly read: () => void;
    },
  ) {
    this.#elements = elements;
    const { span, pause, reading } = elements;
    span.addEventListener("change", () => {
      this.read(null);
      on.redraw();
    });
    pause.addEventListener("click", () => {
      this.#isPaused = !this.#isPaused;
      pause.setAttribute("aria-pressed", String(this.#isPaused));
      on.pause(this.#isPaused);
    });
    reading.addEventListener("input", () => {
      const age = -reading.valueAsNumber;
      this.read(age === 0 ? null : age);
      on.read();
    });
  }

  get ageSeconds(): number | null {
    return this.#ageSeconds;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** null is all of the film. */
  get spanSeconds(): number | null {
    const { value } = this.#elements.span;
    return value === "all" ? null : Number(value);
  }

  read(ageSeconds: number | null): void {
    this.#ageSeconds = ageSeconds;
    const { reading } = this.#elements;
    reading.valueAsNumber = -(ageSeconds ?? 0);
    reading.setAttribute("aria-valuetext", ageText(ageSeconds ?? 0));
  }

  /** How far back can be read. */
  reach(spanSeconds: number): void {
    const least = String(-Math.round(spanSeconds));
    if (this.#elements.reading.min !== least) {
      this.#elements.reading.min = least;
    }
  }
}
