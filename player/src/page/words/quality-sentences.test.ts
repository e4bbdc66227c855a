import { expect, it } from "vitest";
import { type Asked, rungTitle, shownSentence, whyNotMore } from "./quality-sentences.ts";

const rung = (heightPixels: number, bitsPerSecond: number) => ({
  id: String(heightPixels),
  bitsPerSecond,
  widthPixels: 0,
  heightPixels,
});
const asked: Asked = {
  rungs: [rung(360, 700_000), rung(720, 2_800_000), rung(1080, 5_000_000)],
  heldBitsPerSecond: null,
  askedBitsPerSecond: 2_800_000,
  shownBitsPerSecond: 700_000,
  bufferSeconds: 12,
  decision: {
    bitsPerSecond: 2_800_000,
    decidedBy: "NuwaRule",
    reason: {
      why: "plan",
      safety: 0.78,
      bandwidthBitsPerSecond: 5_900_000,
      bufferSeconds: 12,
      queueingDelaySeconds: 0.04,
    },
  },
};

it("says what the rule goes by where it asks for less than there is", () => {
  expect(whyNotMore(asked)).toBe(
    "Not 1080p, 5.0 Mbit/s: NuwaRule goes by 78 % of 5.9 Mbit/s, 12.0 s buffered and 40 ms of queue.",
  );
});

it("tells dash.js's rules, a rule that says nothing, and none yet", () => {
  const decision = { bitsPerSecond: 1, decidedBy: "BolaRule", reason: { throughput: 1500, bufferLevel: 3 } };
  expect(whyNotMore({ ...asked, decision })).toMatch(
    "dash.js’s BOLA rule goes by a throughput of 1.5 Mbit/s, 3.0 s buffered.",
  );
  const silent = { bitsPerSecond: 1, decidedBy: "Mine", reason: null };
  expect(whyNotMore({ ...asked, decision: silent })).toBe("Not 1080p, 5.0 Mbit/s: Mine chooses less.");
  expect(whyNotMore({ ...asked, decision: null })).toMatch("nothing was measured");
  expect(whyNotMore({ ...asked, askedBitsPerSecond: null })).toBeNull();
});

it("says when what is held will be seen, and the best", () => {
  expect(whyNotMore({ ...asked, heldBitsPerSecond: 5_200_000 })).toBe(
    "You hold 1080p, 5.0 Mbit/s, on screen once 12 s of buffer are played; no rule chooses.",
  );
  expect(whyNotMore({ ...asked, heldBitsPerSecond: 700_000 })).toBe(
    "You hold 360p, 0.70 Mbit/s; no rule chooses.",
  );
  expect(whyNotMore({ ...asked, askedBitsPerSecond: 5_000_000 })).toBe(
    "Asked for: 1080p, 5.0 Mbit/s, the best there is.",
  );
  expect(whyNotMore({ ...asked, rungs: [rung(720, 2_800_000)] })).toBe("There is one quality only.");
});

it("says what is on the screen, once something is", () => {
  const video = { widthPixels: 1280, heightPixels: 720, frames: 1204, droppedFrames: 3 };
  expect(shownSentence(video, 2_800_000)).toBe(
    "On screen: 1280 × 720, 2.80 Mbit/s, 3 of 1,204 frames dropped.",
  );
  expect(shownSentence({ ...video, widthPixels: 0 }, 2_800_000)).toBeNull();
  expect(rungTitle(rung(0, 700_000))).toBe("0.70 Mbit/s");
});
