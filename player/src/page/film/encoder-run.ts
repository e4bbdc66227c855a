import type { ParsedManifest } from "./refusals/why-not-played.ts";

/** Some encoders work out their start anew with each manifest, from a clock that is being corrected. */
const SAME_START_MS = 1000;

/**
 * Tells from a live film's manifests when its encoder was started again. The film's times then begin anew, and dash.js stays
 * where nothing is any more.
 */
export class EncoderRun {
  #startMs: number | null = null;

  /** Whether the manifest is the first one of another run. */
  isAnother({ availabilityStartTime }: ParsedManifest): boolean {
    const startMs = availabilityStartTime?.getTime() ?? null;
    const formerMs = this.#startMs;
    this.#startMs = startMs ?? formerMs;
    return startMs !== null && formerMs !== null && Math.abs(startMs - formerMs) > SAME_START_MS;
  }
}
