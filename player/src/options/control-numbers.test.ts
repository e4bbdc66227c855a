import { expect, it } from "vitest";
import presets from "../../../cc/receiver/presets.json";
import { type ControlNumbers, requireControlNumbers } from "./control-numbers.ts";
import { sessionParametersOf } from "./session-options.ts";

const NUMBERS: ControlNumbers = { targetDelayMs: 25, rhoMs: 15, k: 5 };

it.each([
  [{ targetDelayMs: 0 }, "targetDelayMs must be a number from 1 to 10000, not 0."],
  [{ targetDelayMs: 20_000 }, "targetDelayMs must be a number from 1 to 10000, not 20000."],
  [{ rhoMs: Number.NaN }, "rhoMs must be a number from 1 to 10000, not NaN."],
  [{ rhoMs: undefined }, "rhoMs must be a number from 1 to 10000, not undefined."],
  [{ k: 20 }, "k must be a number from 1 to 9, not 20."],
  [{ k: "7" }, "k must be a number from 1 to 9, not 7."],
  [{ asInPaper: true, catchesUp: true }, "asInPaper must not be true beside catchesUp or followsNeed."],
  [{ asInPaper: true, followsNeed: true }, "asInPaper must not be true beside catchesUp or followsNeed."],
])("%j is refused where it is said", (wrong, sentence) => {
  const preset = { ...NUMBERS, ...wrong } as ControlNumbers;
  expect(() => sessionParametersOf({ preset })).toThrow(new RangeError(sentence));
});

it.each(presets.map(({ name, ...numbers }) => [name, numbers] as const))(
  "%s has numbers that may be said",
  (_name, { target_delay_ms, rho_ms, k, catches_up, follows_need, as_in_paper }) => {
    requireControlNumbers({
      targetDelayMs: target_delay_ms,
      rhoMs: rho_ms,
      k,
      catchesUp: catches_up,
      followsNeed: follows_need,
      asInPaper: as_in_paper,
    });
  },
);
