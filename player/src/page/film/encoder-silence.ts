/** Nobody need be told of less, and segments of ten seconds come no sooner. */
const LONGEST_MS = 15_000;
/** What is less is no film: the server's word that it has not what is asked for. */
const LEAST_BITS_PER_SECOND = 20_000;

/** A live film, seen some times a second. */
export interface LiveMoment {
  readonly atMs: number;
  /** The film waits for data, and what brings it is there. */
  readonly isWaiting: boolean;
  readonly deliveredBitsPerSecond: number;
}

/** Tells a live film whose encoder writes nothing from one whose network is slow: of the former nothing comes. */
export class EncoderSilence {
  #sinceMs: number | null = null;

  /** Whether it has lasted for so long that the viewer is to be told. */
  isLong({ atMs, isWaiting, deliveredBitsPerSecond }: LiveMoment): boolean {
    if (!isWaiting || deliveredBitsPerSecond >= LEAST_BITS_PER_SECOND) {
      this.#sinceMs = null;
      return false;
    }
    this.#sinceMs ??= atMs;
    return atMs - this.#sinceMs >= LONGEST_MS;
  }
}
