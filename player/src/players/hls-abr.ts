import type Hls from "hls.js";
import type { AbrController, HlsConfig } from "hls.js";
import type { NuwaCore } from "../core/nuwa-types.ts";
import { needTeller } from "../session/need-teller.ts";
import { hlsNeed } from "./hls-need.ts";
import { ReceivedBandwidth } from "./received-bandwidth.ts";

/**
 * What hls.js takes as `abrController`: its own, to which the link is as fast as the receiver says in the mean, while it says so.
 *
 * It tells the receiver what the player needs.
 */
export function nuwaAbr(
  { DefaultConfig }: Pick<typeof Hls, "DefaultConfig">,
  nuwa: NuwaCore,
): HlsConfig["abrController"] {
  return class extends DefaultConfig.abrController {
    readonly #stopTelling: () => void;
    readonly #received: ReceivedBandwidth;

    constructor(hls: Hls) {
      super(hls);
      this.#received = new ReceivedBandwidth(nuwa);
      answerFor(this.bwEstimator, this.#received);
      this.#stopTelling = nuwa.on(
        "estimate",
        needTeller(
          () => hlsNeed(hls),
          (need) => nuwa.tell(need),
        ),
      );
    }

    override destroy(): void {
      this.#stopTelling();
      this.#received.close();
      super.destroy();
    }

    override resetEstimator(bitsPerSecond?: number): void {
      super.resetEstimator(bitsPerSecond);
      answerFor(this.bwEstimator, this.#received);
    }
  };
}

/** The estimator goes on with its own averages, which count while the receiver has no estimate. */
function answerFor(estimator: AbrController["bwEstimator"], received: ReceivedBandwidth): void {
  const own = { getEstimate: estimator.getEstimate, canEstimate: estimator.canEstimate };
  estimator.getEstimate = () => received.bitsPerSecond() ?? own.getEstimate.call(estimator);
  estimator.canEstimate = () => received.bitsPerSecond() !== null || own.canEstimate.call(estimator);
}
