import type { MediaPlayerSettingClass, Representation } from "dashjs";
import { expect, it } from "vitest";
import { holdRung, nearestRung, rungsOf } from "./film-quality.ts";

class FakePlayer {
  readonly settings: MediaPlayerSettingClass[] = [];
  readonly picked: string[] = [];
  isThere = true;
  isReady = () => this.isThere;
  getRepresentationsByType = () =>
    [
      { id: "b", bandwidth: 2_800_000, width: 1280, height: 720 },
      { id: "a", bandwidth: 700_000, width: 640, height: 360 },
    ] as Representation[];
  setRepresentationForTypeById = (_type: string, id: string) => {
    this.picked.push(id);
  };
  updateSettings = (settings: MediaPlayerSettingClass) => {
    this.settings.push(settings);
  };
}

it("lists rungs from the lowest", () => {
  expect(rungsOf(new FakePlayer()).map(({ id }) => id)).toEqual(["a", "b"]);
});

it("takes the nearest rung by ratio", () => {
  const rungs = rungsOf(new FakePlayer());
  expect(nearestRung(rungs, 1_300_000)?.id).toBe("a");
  expect(nearestRung(rungs, 1_500_000)?.id).toBe("b");
  expect(nearestRung([], 1)).toBeNull();
});

it("holds a rung with the rules off, and gives it back to them", () => {
  const player = new FakePlayer();
  holdRung(player, 2_500_000);
  expect(player.picked).toEqual(["b"]);
  holdRung(player, null);
  expect(player.picked).toEqual(["b"]);
  expect(player.settings.map(({ streaming }) => streaming?.abr?.autoSwitchBitrate?.video)).toEqual([
    false,
    true,
  ]);
});

it("holds before the stream is there, for whoever asks again", () => {
  const player = new FakePlayer();
  player.isThere = false;
  holdRung(player, 1);
  expect(player.picked).toEqual([]);
});
