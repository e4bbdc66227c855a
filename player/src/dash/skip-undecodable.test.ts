import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { skipUndecodable } from "./skip-undecodable.ts";

class FakePlayer {
  readonly sought: number[] = [];
  readonly #listeners = new Map<string, (event: object) => void>();
  on = (event: string, listener: (event: never) => void): void => {
    this.#listeners.set(event, listener as (event: object) => void);
  };
  off = (event: string): void => {
    this.#listeners.delete(event);
  };
  seek = (seconds: number): void => {
    this.sought.push(seconds);
  };

  fetched(startTime: number, duration: number): void {
    this.tell("fragmentLoadingCompleted", { request: { type: "MediaSegment", startTime, duration } });
  }

  /** As dash.js tells of it: the error, then its own MediaSource is there anew. */
  fails(time: number, code = 3): void {
    this.tell("playbackTimeUpdated", { time });
    this.tell("playbackError", { error: { code } });
    this.tell("playbackMetaDataLoaded", {});
  }

  tell(event: string, value: object): void {
    this.#listeners.get(event)?.(value);
  }
}

let player: FakePlayer;
let end: () => void;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  player = new FakePlayer();
  end = skipUndecodable(player);
  for (const start of [8, 10, 12, 14]) {
    player.fetched(start, 2);
  }
});

afterEach(() => vi.restoreAllMocks());

describe("a place that cannot be decoded", () => {
  it("is tried again after the first failure", () => {
    player.fails(10.8);
    expect(player.sought).toEqual([]);
  });

  it("is skipped to its segment's end after the second", () => {
    player.fails(10.8);
    player.fails(10.9);
    expect(player.sought).toEqual([12]);
  });

  it("belongs to the segment whose frames were being decoded, ahead of the playhead", () => {
    player.fails(11.9);
    player.fails(11.9);
    expect(player.sought).toEqual([14]);
  });

  it("is skipped at once where it follows one that was skipped", () => {
    player.fails(10.8);
    player.fails(10.8);
    player.fails(12);
    expect(player.sought).toEqual([12, 14]);
  });

  it("counts anew elsewhere", () => {
    player.fails(8.5);
    player.fails(12.5);
    expect(player.sought).toEqual([]);
  });

  it("stays where nothing of it was fetched", () => {
    player.fails(20);
    player.fails(20);
    expect(player.sought).toEqual([]);
  });
});

it("leaves other errors alone", () => {
  player.fails(10.8, 2);
  player.fails(10.8, 2);
  expect(player.sought).toEqual([]);
});

it("does nothing once it has ended", () => {
  player.fails(10.8);
  end();
  player.fails(10.8);
  expect(player.sought).toEqual([]);
});
