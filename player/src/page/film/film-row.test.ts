import { expect, it } from "vitest";
import type { Snapshot } from "../nuwa-stream.ts";
import { readoutTexts } from "../words/readout.ts";
import { filmRow } from "./film-row.ts";

const moment = (estimate: object): Snapshot =>
  ({ atMs: 1000, firstFrameAtMs: null, link: null, video: null, estimate }) as unknown as Snapshot;

it("draws what is wanted, and whether the estimate is of this moment, however the window is held", () => {
  const held = moment({ bandwidthBitsPerSecond: 40e6, wantedBitsPerSecond: 12e6, isHeld: true });
  expect(filmRow(held, moment({ bandwidthBitsPerSecond: 39e6 }))).toMatchObject({
    ...{ wanted: 12, receiver: 40, receiverStale: 0 },
  });
  expect(filmRow(held, held)).toMatchObject({ wanted: 12, receiver: 40, receiverStale: 1 });
});

it("says in words that the window is held", () => {
  const texts = (estimate: object) =>
    readoutTexts({
      ...moment(estimate),
      bufferSeconds: 0,
      dashjsBitsPerSecond: null,
      playedBitsPerSecond: null,
      stallCount: 0,
      stalledMs: 0,
    } as Snapshot).wanted;
  expect(texts({ wantedBitsPerSecond: 12.2e6, isHeld: true })).toBe("12.2 Mbit/s, held");
  expect(texts({ wantedBitsPerSecond: 12.2e6, isHeld: false })).toBe("12.2 Mbit/s");
  expect(texts({ wantedBitsPerSecond: null, isHeld: false })).toBe("–");
});
