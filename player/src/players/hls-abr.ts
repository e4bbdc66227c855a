import type Hls from "hls.js";
import type { AbrController, HlsConfig } from "hls.js";
import type { NuwaCore } from "../core/nuwa-types.ts";
import { receivedBitsPerSecond } from "./received-bandwidth.ts";

/** What hls.js takes as `abrController`: its own, to which the link is as fast as the receiver says, while it says so. */
export function nuwaAbr(
  { DefaultConfig }: Pick<typeof Hls, "DefaultConfig">,
  nuwa: NuwaCore,
): HlsConfig["abrController"] {
  return class extends DefaultConfig.abrController {
    constructor(hls: Hls) {
      super(hls);
      answerFor(this.bwEstimator, nuwa);
    }

    override resetEstimator(bitsPerSecond?: number): void {
      super.resetEstimator(bitsPerSecond);
      answerFor(this.bwEstimator, nuwa);
    }
  };
}

/** The estimator goes on with its own averages, which count while the receiver has no estimate. */
function answerFor(estimator: AbrController["bwEstimator"], nuwa: NuwaCore): void {
  const own = { getEstimate: estimator.getEstimate, canEstimate: estimator.canEstimate };
  estimator.getEstimate = () => receivedBitsPerSecond(nuwa) ?? own.getEstimate.call(estimator);
  estimator.canEstimate = () => receivedBitsPerSecond(nuwa) !== null || own.canEstimate.call(estimator);
}
