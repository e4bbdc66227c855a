import { K_RANGE } from "../../../cc/receiver/nuwa.ts";

/** Numbers instead of a preset's name; those outside their ranges are refused with a RangeError. */
export interface ControlNumbers {
  /** 1 to 10,000. */
  readonly targetDelayMs: number;
  /** 1 to 10,000. */
  readonly rhoMs: number;
  /** Aggressiveness, 1 to 9. */
  readonly k: number;
  /** Whether the window follows a link that has changed in proportion to itself, not by k packets; false by default. */
  readonly catchesUp?: boolean | undefined;
  /** Whether the player's buffer bounds the window: with a full one to little more than it plays; false by default. */
  readonly followsNeed?: boolean | undefined;
  /**
   * Whether Nuwa's window moves by its paper's equations alone, with a constant target; false by default. Not beside
   * catchesUp or followsNeed.
   */
  readonly asInPaper?: boolean | undefined;
}

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
