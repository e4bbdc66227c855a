import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { segmentBytes, VirtualMediaSource, type VirtualSourceBuffer } from "./media-source.ts";
import { mediaSources, VirtualVideo } from "./video-element.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  mediaSources.clear();
});

async function opened(
  durationSeconds: number,
): Promise<{ video: VirtualVideo; buffers: VirtualSourceBuffer[] }> {
  const source = new VirtualMediaSource();
  mediaSources.set("blob:film", source);
  const video = new VirtualVideo(() => Date.now());
  video.src = "blob:film";
  await vi.advanceTimersByTimeAsync(0);
  source.duration = durationSeconds;
  return { video, buffers: [source.addSourceBuffer(), source.addSourceBuffer()] };
}

async function append(buffers: readonly VirtualSourceBuffer[], start: number, end: number): Promise<void> {
  for (const buffer of buffers) buffer.appendBuffer(segmentBytes(start, end));
  await vi.advanceTimersByTimeAsync(0);
}

test("plays once picture and sound are there, waits where one runs dry, and ends", async () => {
  const { video, buffers } = await opened(4);
  await video.play();
  await append(buffers.slice(0, 1), 0, 2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(video.firstFrameAtMs).toBeNull(); // no sound yet
  await append(buffers.slice(1), 0, 2);
  expect(video.firstFrameAtMs).toBe(1000);
  await vi.advanceTimersByTimeAsync(3000);
  expect(video.currentTime).toBe(2);
  await append(buffers, 2, 4);
  await vi.advanceTimersByTimeAsync(5000);
  expect(video.waits).toEqual([{ startedAtMs: 3000, endedAtMs: 4000 }]);
  expect([video.ended, video.currentTime]).toEqual([true, 4]);
});

test("plays on while what was played is removed behind it", async () => {
  const { video, buffers } = await opened(60);
  await video.play();
  await append(buffers, 0, 60);
  await vi.advanceTimersByTimeAsync(20_000);
  for (const buffer of buffers) buffer.remove(0, 15);
  await vi.advanceTimersByTimeAsync(5000);
  expect(video.currentTime).toBe(25);
  expect(video.waits).toEqual([]);
});

test("tells its end before whoever watches the clock can miss it", async () => {
  const { video, buffers } = await opened(2);
  await video.play();
  const seen: [boolean, number][] = [];
  setTimeout(() => seen.push([video.ended, video.currentTime]), 2000); // before the film has timers of its own
  await append(buffers, 0, 2);
  await vi.advanceTimersByTimeAsync(2000);
  expect(seen).toEqual([[true, 2]]);
});

test("a viewer's seek stands until picture and sound are there, and is no stall", async () => {
  const { video, buffers } = await opened(60);
  const told: string[] = [];
  for (const type of ["loadeddata", "playing", "seeking", "waiting", "seeked"]) {
    video.addEventListener(type, () => told.push(type));
  }
  await video.play();
  await append(buffers, 0, 10);
  await vi.advanceTimersByTimeAsync(4000);
  video.seek(30);
  await vi.advanceTimersByTimeAsync(500);
  await append(buffers.slice(0, 1), 30, 32);
  await vi.advanceTimersByTimeAsync(500); // no sound yet
  expect([video.currentTime, video.seeking, video.readyState]).toEqual([30, true, 1]);
  await append(buffers.slice(1), 30, 32);
  await vi.advanceTimersByTimeAsync(1000);
  expect([video.currentTime, video.seeking, video.readyState]).toEqual([31, false, 4]);
  expect(video.seeks).toEqual([
    { startedAtMs: 4000, endedAtMs: 5000, fromSeconds: 4, toSeconds: 30, byViewer: true },
  ]);
  expect(video.waits).toEqual([]);
  expect(told).toEqual(["loadeddata", "playing", "seeking", "waiting", "seeked", "playing"]);
});

test("a stall ends where the viewer goes elsewhere, and what is buffered there is shown at once", async () => {
  const { video, buffers } = await opened(60);
  await video.play();
  await append(buffers, 0, 2);
  await vi.advanceTimersByTimeAsync(3000);
  video.seek(0.5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(video.currentTime).toBe(1.5);
  expect(video.waits).toEqual([{ startedAtMs: 2000, endedAtMs: 3000 }]);
  expect(video.seeks).toEqual([
    { startedAtMs: 3000, endedAtMs: 3000, fromSeconds: 2, toSeconds: 0.5, byViewer: true },
  ]);
});

test("a seek in the midst of another is the one with a picture, where dash.js moves it to", async () => {
  const { video, buffers } = await opened(60);
  await video.play();
  await append(buffers, 0, 10);
  await vi.advanceTimersByTimeAsync(1000);
  video.seek(30);
  await vi.advanceTimersByTimeAsync(200);
  video.seek(40);
  video.currentTime = 40.25;
  await vi.advanceTimersByTimeAsync(300);
  expect(video.seeking).toBe(true);
  await append(buffers, 40.25, 50);
  await vi.advanceTimersByTimeAsync(1000);
  expect(video.currentTime).toBe(41.25);
  expect(video.seeks).toEqual([
    { startedAtMs: 1000, endedAtMs: null, fromSeconds: 1, toSeconds: 30, byViewer: true },
    { startedAtMs: 1200, endedAtMs: 1500, fromSeconds: 30, toSeconds: 40.25, byViewer: true },
  ]);
});

test("what dash.js jumps over after a viewer's seek is told, and before one it jumps over nothing", async () => {
  const { video, buffers } = await opened(60);
  await video.play();
  await append(buffers, 0, 4);
  await append(buffers, 20, 30);
  video.currentTime = 0.5;
  await vi.advanceTimersByTimeAsync(1000);
  expect(video.seeks).toEqual([]);
  video.seek(3);
  await vi.advanceTimersByTimeAsync(500);
  video.currentTime = 20;
  await vi.advanceTimersByTimeAsync(1000);
  expect(video.currentTime).toBe(21);
  expect(video.seeks[1]).toEqual({
    startedAtMs: 1500,
    endedAtMs: 1500,
    fromSeconds: 3.5,
    toSeconds: 20,
    byViewer: false,
  });
});
