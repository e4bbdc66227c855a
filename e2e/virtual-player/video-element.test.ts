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
