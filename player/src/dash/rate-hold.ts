type HeldMedia = Pick<HTMLMediaElement, "addEventListener" | "playbackRate">;

/**
 * Holds an element's playback at the rate 0, which nobody else sees: dash.js's rules, CMCD and telemetry take a rate for
 * what the viewer has chosen. Who reads or sets `playbackRate` meanwhile has to do with the viewer's, and `ratechange` is
 * heard only where that has changed.
 */
export class RateHold {
  readonly #media: HeldMedia;
  /** The viewer's rate while the film is held; null while it is not. */
  #viewersRate: number | null = null;
  /** At the last `ratechange` that was heard. */
  #toldRate: number;

  constructor(media: HeldMedia) {
    this.#media = media;
    this.#toldRate = media.playbackRate;
    Object.defineProperty(media, "playbackRate", {
      configurable: true,
      get: () => this.#viewersRate ?? this.#ownRate,
      set: (rate: number) => {
        this.#ownRate = rate;
        this.#keep();
      },
    });
    media.addEventListener("ratechange", (event) => this.#onChange(event), { capture: true });
  }

  get isHeld(): boolean {
    return this.#viewersRate !== null;
  }

  hold(): void {
    this.#viewersRate ??= this.#ownRate;
    this.#ownRate = 0;
  }

  release(): void {
    const rate = this.#viewersRate;
    this.#viewersRate = null;
    if (rate !== null && this.#ownRate === 0) {
      this.#ownRate = rate; // else another source has come with its own
    }
  }

  /** What the element has, below what is seen of it. */
  get #ownRate(): number {
    return Reflect.get(Object.getPrototypeOf(this.#media), "playbackRate", this.#media) as number;
  }

  set #ownRate(rate: number) {
    Reflect.set(Object.getPrototypeOf(this.#media), "playbackRate", rate, this.#media);
  }

  #onChange(event: Event): void {
    if (this.#ownRate !== 0) {
      this.#keep(); // by the element's own menu
    }
    const rate = this.#media.playbackRate;
    if (rate === this.#toldRate) {
      event.stopImmediatePropagation();
    }
    this.#toldRate = rate;
  }

  /** What was set while the film is held is for when it goes on. */
  #keep(): void {
    if (this.#viewersRate !== null) {
      this.#viewersRate = this.#ownRate;
      this.#ownRate = 0;
    }
  }
}
