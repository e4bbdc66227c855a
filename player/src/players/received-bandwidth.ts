import type { NuwaCore } from "../core/nuwa-types.ts";
import { DeliveryAverage } from "../session/delivery-average.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";

/**
 * The bandwidth for a player that takes it for the rate of its whole next download: a mean over some downloads of what the
 * receiver says. Of one instant it would take every flicker of the link for that rate.
 */
export class ReceivedBandwidth {
  readonly #nuwa: NuwaCore;
  readonly #stopListening: readonly (() => void)[];
  #average = new DeliveryAverage();
  /** The last of a session that has ended; the core holds it until another comes. */
  #stale: NetworkEstimate | null = null;

  constructor(nuwa: NuwaCore) {
    this.#nuwa = nuwa;
    this.#stopListening = [
      nuwa.on("session", ({ kind }) => {
        if (kind !== "open" && kind !== "silent") {
          this.#stale = nuwa.estimate();
          this.#forget();
        }
      }),
      nuwa.on("estimate", ({ atMs, bandwidthBitsPerSecond, deliveredBitsPerSecond }) => {
        if (bandwidthBitsPerSecond === null) {
          this.#forget();
        } else {
          this.#average.add(atMs / 1000, bandwidthBitsPerSecond, deliveredBitsPerSecond > 0);
        }
      }),
    ];
  }

  /** null while the receiver has none, as over HTTP or on a path that is new to it. */
  bitsPerSecond(): number | null {
    const newest = this.#nuwa.estimate();
    if (newest === null || newest === this.#stale) {
      return null;
    }
    const bitsPerSecond = this.#average.meanBitsPerSecond() ?? newest.bandwidthBitsPerSecond ?? 0;
    return bitsPerSecond > 0 ? bitsPerSecond : null;
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
  }

  /** What a link was says nothing of another. */
  #forget(): void {
    this.#average = new DeliveryAverage();
  }
}
