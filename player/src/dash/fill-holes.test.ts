import { expect, test } from "vitest";
import { fillHoles } from "./fill-holes.ts";

/** A player with these ranges buffered, and what is asked of its one stream processor. */
function playerWith(
  ranges: readonly (readonly [number, number])[],
  { isCompleted = false, nextSeconds = null as number | null, underWaySeconds = null as number | null } = {},
) {
  let listener: (event: { seekTime: number }) => void = () => undefined;
  const asked: string[] = [];
  const buffered = {
    length: ranges.length,
    start: (place: number) => ranges[place]?.[0],
    end: (place: number) => ranges[place]?.[1],
  };
  const processor = {
    getBuffer: () => ({ getAllBufferRanges: () => buffered }),
    probeNextRequest: () => (nextSeconds === null ? null : { startTime: nextSeconds }),
    getFragmentModel: () => ({
      getRequests: () => (underWaySeconds === null ? [] : [{ startTime: underWaySeconds }]),
    }),
    isBufferingCompleted: () => isCompleted,
    getBufferController: () => ({
      setIsBufferingCompleted: (value: boolean) => asked.push(`completed ${value}`),
    }),
    getScheduleController: () => ({ startScheduleTimer: () => asked.push("schedule") }),
    setExplicitBufferingTime: (seconds: number) => asked.push(`from ${seconds}`),
  };
  const player = {
    on: (_event: string, added: typeof listener) => {
      listener = added;
    },
    off: () => {
      listener = () => undefined;
    },
    duration: () => FILM_SECONDS,
    getActiveStream: () => ({ getStreamProcessors: () => [{ getBuffer: () => ({}) }, processor] }),
  };
  const end = fillHoles(player as unknown as Parameters<typeof fillHoles>[0]);
  return { asked, end, seek: (seekTime: number) => listener({ seekTime }) };
}

const FILM_SECONDS = 24;
const ISLANDS = [
  [0, 4],
  [18, 24],
] as const;

test("after a jump back what lies behind is fetched from the hole on", () => {
  const { asked, seek } = playerWith(ISLANDS);
  seek(0.5);
  expect(asked).toEqual(["from 4", "schedule"]);
});

test("a film that was fetched to its end is not complete with a hole in it", () => {
  const { asked, seek } = playerWith(ISLANDS, { isCompleted: true });
  seek(3.9);
  expect(asked).toEqual(["completed false", "from 4", "schedule"]);
});

test("what a jump ahead asks for is a place farther on before it has come", () => {
  const { asked, seek } = playerWith([[0, 4]], { nextSeconds: 20 });
  seek(0.5);
  expect(asked).toEqual(["from 4", "schedule"]);
});

test("a segment that is under way is not asked for twice", () => {
  const { asked, seek } = playerWith([[0, 4]], { nextSeconds: 6, underWaySeconds: 4.01 });
  seek(0.5);
  expect(asked).toEqual([]);
});

test("without a hole behind the place dash.js goes on as it does", () => {
  const { asked, seek, end } = playerWith(ISLANDS);
  for (const seekTime of [4, 10, 18, 23]) seek(seekTime);
  end();
  seek(0.5);
  expect(asked).toEqual([]);
});
