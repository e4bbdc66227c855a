import { expect, it } from "vitest";
import { STEPS } from "../testing/sample-link.ts";
import { linkChangeLabel } from "./change-label.ts";

it("names another link by its title", () => {
  expect(linkChangeLabel({ ...STEPS, title: "LTE-like" }, STEPS)).toBe("LTE-like");
  expect(linkChangeLabel(STEPS, null)).toBe("Steps");
  expect(linkChangeLabel(null, STEPS)).toBe("no emulated link");
});

it("says what else of a link is other than before", () => {
  const slow = { ...STEPS, delayMs: 60 };
  expect(linkChangeLabel(slow, STEPS)).toBe("Steps, 60 ms each way");
  expect(linkChangeLabel(STEPS, slow)).toBe("Steps, 20 ms each way");
  expect(linkChangeLabel({ ...STEPS, queuePackets: 90, lossRatio: 0.02 }, STEPS)).toBe(
    "Steps, a queue of 90 packets, 2 % loss",
  );
  expect(linkChangeLabel(STEPS, { ...STEPS, queuePackets: null, lossRatio: 0.02 })).toBe(
    "Steps, a queue of 300 packets, no loss",
  );
});
