/** dash.js asks whether to give a download up where it hears of progress: this calls when it has heard nothing for long. */

const SILENCE_MS = 250;

export class SilenceWatch {
  readonly #nowMs: () => number;
  readonly #onSilence: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #heardAtMs = 0;

  constructor(nowMs: () => number, onSilence: () => void) {
    this.#nowMs = nowMs;
    this.#onSilence = onSilence;
  }

  /** A new attempt. */
  start(): void {
    clearInterval(this.#timer);
    this.heard();
    this.#timer = setInterval(() => {
      if (this.#nowMs() - this.#heardAtMs >= SILENCE_MS) this.#onSilence();
    }, SILENCE_MS);
  }

  heard(): void {
    this.#heardAtMs = this.#nowMs();
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
