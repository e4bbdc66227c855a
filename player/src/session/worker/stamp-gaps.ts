import { countedSince, isLater } from "../../../../cc/receiver/wrapping-count.ts";

/** Counts the stamps that never came, from their sequence numbers (mod 2^32). */
export class StampGaps {
  #received = 0;
  #announced = 0;
  #newest: number | null = null;

  /** Whether this stamp is the newest so far: false for one that was overtaken on its way. */
  onSequence(sequence: number): boolean {
    this.#received += 1;
    if (this.#newest === null) {
      this.#announced = 1;
      this.#newest = sequence;
      return true;
    }
    // A late one was already counted as announced.
    if (!isLater(sequence, this.#newest)) {
      return false;
    }
    this.#announced += countedSince(sequence, this.#newest);
    this.#newest = sequence;
    return true;
  }

  get received(): number {
    return this.#received;
  }

  /** Stamps announced by the newest sequence number and not received so far. */
  get missing(): number {
    return Math.max(0, this.#announced - this.#received);
  }
}
