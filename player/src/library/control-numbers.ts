import { K_RANGE } from "../../../cc/receiver/nuwa.ts";
import type { ControlNumbers } from "./nuwa-api.ts";

/** The server's, in transport/wire_format/session_path.py. */
const DELAY_MS_RANGE = [1, 10_000] as const;

/** Least and most of each number. */
export const CONTROL_RANGES = { targetDelayMs: DELAY_MS_RANGE, rhoMs: DELAY_MS_RANGE, k: K_RANGE } as const;

/** Throws RangeError for what opens no session: here, where whoever said it hears of it. */
export function requireControlNumbers(numbers: ControlNumbers): void {
  for (const name of ["targetDelayMs", "rhoMs", "k"] as const) {
    const value: unknown = numbers[name];
    const [least, most] = CONTROL_RANGES[name];
    if (!(typeof value === "number" && value >= least && value <= most)) {
      throw new RangeError(`${name} must be a number from ${least} to ${most}, not ${value}.`);
    }
  }
  if (numbers.asInPaper && (numbers.catchesUp || numbers.followsNeed)) {
    throw new RangeError("asInPaper must not be true beside catchesUp or followsNeed.");
  }
}
