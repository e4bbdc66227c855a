import type { ParsedManifest } from "./refusals/why-not-played.ts";

/** Some encoders work out their start anew with each manifest, from a clock that is being corrected. */
const SAME_START_MS = 1000;

/**
 * Tells from a live film's manifests when its encoder was started again. The film's times then begin anew, and dash.js stays
 * where nothing is any more. Two encoders behind one address, whose manifests come by turns, are told of once each.
 */
export class EncoderRun {
  readonly #startsMs: number[] = [];

  /** Whether the manifest is the first one of another run than those before. */
  isAnother({ availabilityStartTime }: ParsedManifest): boolean {
    const startMs = availabilityStartTime?.getTime();
    if (startMs === undefined) {
      return false;
    }
    const known = this.#startsMs.findIndex((formerMs) => Math.abs(startMs - formerMs) <= SAME_START_MS);
    if (known >= 0) {
      this.#startsMs[known] = startMs;
      return false;
    }
    return this.#startsMs.push(startMs) > 1;
  }
}
