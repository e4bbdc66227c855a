/** Whether what the receiver measured is of this moment. Pure: told the times. */

import type { Snapshot } from "../nuwa-stream.ts";

const HELD_MS = 1000;
/** A pause between two segments is shorter. */
const OLD_MS = 5000;

type Moment = Pick<Snapshot, "atMs" | "estimate">;

export class MeasureAge {
  #stampsReceived = 0;
  #measuredAtMs = 0;

  /** To be called some times a second. */
  add({ atMs, estimate }: Moment): void {
    const stampsReceived = estimate?.stampsReceived ?? 0;
    if (stampsReceived !== this.#stampsReceived) {
      this.#stampsReceived = stampsReceived;
      this.#measuredAtMs = atMs;
    }
  }

  /** Nothing was measured for a second. */
  isHeld(atMs: number): boolean {
    return atMs - this.#measuredAtMs >= HELD_MS;
  }

  /** The moment without an estimate that is too old to stand for it. */
  current<M extends Moment>(moment: M): M {
    return moment.atMs - this.#measuredAtMs >= OLD_MS ? { ...moment, estimate: null } : moment;
  }
}
