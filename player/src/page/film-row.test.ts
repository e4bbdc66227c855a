import { expect, it } from "vitest";
import { filmRow } from "./film-row.ts";
import type { Snapshot } from "./nuwa-stream.ts";
import { readoutTexts } from "./readout.ts";

const moment = (estimate: object): Snapshot =>
  ({ atMs: 1000, firstFrameAtMs: null, link: null, video: null, estimate }) as unknown as Snapshot;

it("draws what is wanted, and the estimate as standing while the window is held to that", () => {
  const held = moment({ bandwidthBitsPerSecond: 40e6, wantedBitsPerSecond: 12e6, isHeld: true });
  const before = moment({ bandwidthBitsPerSecond: 39e6 });
  expect(filmRow(held, before)).toMatchObject({ wanted: 12, receiver: 40, receiverHeld: 1 });
  const free = moment({ bandwidthBitsPerSecond: 40e6, wantedBitsPerSecond: null, isHeld: false });
  expect(filmRow(free, before)).toMatchObject({ wanted: null, receiver: 40, receiverHeld: 0 });
});

it("says so in words", () => {
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
