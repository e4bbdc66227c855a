import { expect, test } from "vitest";
import { seekWithoutIslands } from "./seek-without-islands.ts";

const USERS_SECONDS = 25;

/** A player in which 0 to 4 s are buffered. */
function playerWithABuffer() {
  const listeners: Record<string, (event: { seekTime: number }) => void> = {};
  const settings = { streaming: { buffer: { bufferToKeep: USERS_SECONDS } } };
  const player = {
    on: (name: string, listener: (event: { seekTime: number }) => void) => {
      listeners[name] = listener;
    },
    off: (name: string) => {
      delete listeners[name];
    },
    getVideoElement: () => ({ buffered: { length: 1, start: () => 0, end: () => 4 } }),
    getSettings: () => structuredClone(settings),
    updateSettings: (changed: typeof settings) =>
      Object.assign(settings.streaming.buffer, changed.streaming.buffer),
  };
  const end = seekWithoutIslands(player as unknown as Parameters<typeof seekWithoutIslands>[0]);
  const tell = (name: string, seekTime = 0) => listeners[name]?.({ seekTime });
  return { end, tell, kept: () => settings.streaming.buffer.bufferToKeep };
}

test("nothing is kept while the viewer seeks to where nothing is, and then as much as before", () => {
  const { tell, kept } = playerWithABuffer();
  tell("playbackSeeking", 18);
  expect(kept()).toBe(0);
  tell("playbackSeeked");
  expect(kept()).toBe(USERS_SECONDS);
});

test("a seek within what is buffered changes nothing", () => {
  const { tell, kept } = playerWithABuffer();
  tell("playbackSeeking", 3);
  expect(kept()).toBe(USERS_SECONDS);
});

test("of two seeks in a row the first one's end is the second", () => {
  const { tell, kept } = playerWithABuffer();
  tell("playbackSeeking", 18);
  tell("playbackSeeking", 30);
  expect(kept()).toBe(0);
  tell("playbackSeeking", 1);
  expect(kept()).toBe(USERS_SECONDS);
});

test("what ends it ends a seek, too", () => {
  const { end, tell, kept } = playerWithABuffer();
  tell("playbackSeeking", 18);
  end();
  expect(kept()).toBe(USERS_SECONDS);
  tell("playbackSeeking", 18);
  expect(kept()).toBe(USERS_SECONDS);
});
