import { afterEach, expect, test } from "vitest";
import { OUTLOOK_TIMES } from "../../player/src/rules/bandwidth-outlook.ts";
import { NUWA_PARAMETERS } from "../../player/src/rules/nuwa-parameters.ts";
import { CHOSEN, useConstants } from "./nuwa-constants.ts";

afterEach(() => useConstants({}));

test("names what a film is played by, and leaves the rest as chosen", () => {
  useConstants({ stallWeight: 123, recentHalfLifeSeconds: 45 });
  expect(NUWA_PARAMETERS).toEqual({
    ...NUWA_PARAMETERS,
    stallWeight: 123,
    switchWeight: CHOSEN.switchWeight,
  });
  expect(OUTLOOK_TIMES).toEqual({
    recentHalfLifeSeconds: 45,
    sustainedHalfLifeSeconds: CHOSEN.sustainedHalfLifeSeconds,
  });
});

test("the next film has what is chosen again", () => {
  useConstants({ stallWeight: 123 });
  useConstants({});
  expect({ ...NUWA_PARAMETERS, ...OUTLOOK_TIMES }).toEqual(CHOSEN);
});
