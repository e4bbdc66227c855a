/** What a viewer does with the charts: how much of the past they show, whether they stand still, which moment is read. */

import type { TimeAxis } from "./scale.ts";

export interface ChartControlElements {
  /** Values are seconds, or `all`; null where all is shown always. */
  readonly span: HTMLSelectElement | null;
  /** null for what does not go on. */
  readonly pause: HTMLButtonElement | null;
  /** From the oldest moment (lowest) to the newest (highest). */
  readonly reading: HTMLInputElement;
}

export class ChartControls {
  readonly #elements: ChartControlElements;
  readonly #timeAxis: TimeAxis;
  /** How long before the newest moment the one is whose values are read; null for the newest. */
  #ageSeconds: number | null = null;
  #newestSeconds = 0;
  #isPaused = false;

  constructor(
    elements: ChartControlElements,
    timeAxis: TimeAxis,
    on: {
      readonly redraw: () => void;
      readonly pause: (isPaused: boolean) => void;
      readonly read: () => void;
    },
  ) {
    this.#elements = elements;
    this.#timeAxis = timeAxis;
    const { span, pause, reading } = elements;
    span?.addEventListener("change", () => {
      this.read(null);
      on.read(); // first: a cursor that stayed where it is would read another moment
      on.redraw();
    });
    pause?.addEventListener("click", () => {
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
    const value = this.#elements.span?.value ?? "all";
    return value === "all" ? null : Number(value);
  }

  read(ageSeconds: number | null): void {
    this.#ageSeconds = ageSeconds;
    this.#elements.reading.valueAsNumber = -(ageSeconds ?? 0);
    this.#tell();
  }

  /** The newest moment, and how far back can be read. */
  reach(newestSeconds: number, spanSeconds: number): void {
    this.#newestSeconds = newestSeconds;
    const least = String(-Math.round(spanSeconds));
    if (this.#elements.reading.min !== least) {
      this.#elements.reading.min = least;
    }
    this.#tell();
  }

  /** Says the moment in words, where they differ. */
  #tell(): void {
    const { reading } = this.#elements;
    const text = this.#timeAxis.text(this.#newestSeconds - (this.#ageSeconds ?? 0), this.#newestSeconds);
    if (reading.getAttribute("aria-valuetext") !== text) {
      reading.setAttribute("aria-valuetext", text);
    }
  }
}
