import type { NuwaCore } from "../core/nuwa-types.ts";
import { DeliveryAverage } from "../session/delivery-average.ts";

/**
 * The bandwidth for a player that takes it for the rate of its whole next download: a mean over some downloads of what the
 * receiver says. Of one instant it would take every flicker of the link for that rate.
 */
export class ReceivedBandwidth {
  readonly #nuwa: NuwaCore;
  readonly #stopListening: () => void;
  #average = new DeliveryAverage();

  constructor(nuwa: NuwaCore) {
    this.#nuwa = nuwa;
    this.#stopListening = nuwa.on("estimate", (newest) => {
      const { atMs, bandwidthBitsPerSecond, deliveredBitsPerSecond } = newest;
      if (bandwidthBitsPerSecond !== null) {
        this.#average.add(atMs / 1000, bandwidthBitsPerSecond, deliveredBitsPerSecond > 0);
      }
    });
  }

  /** null while the receiver has none, as over HTTP: what came before that is stale afterwards. */
  bitsPerSecond(): number | null {
    const newest = this.#nuwa.estimate();
    if (newest === null) this.#average = new DeliveryAverage();
    const bitsPerSecond = this.#average.meanBitsPerSecond() ?? newest?.bandwidthBitsPerSecond ?? 0;
    return bitsPerSecond > 0 ? bitsPerSecond : null;
  }

  close(): void {
    this.#stopListening();
  }
}
