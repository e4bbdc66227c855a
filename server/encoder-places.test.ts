import { EventEmitter } from "node:events";
import type { Request, Response } from "express";
import { expect, test } from "vitest";
import { ENCODER_LIMITS, EncoderPlaces } from "./encoder-places.ts";

const { atOnce, atOncePerAddress } = ENCODER_LIMITS;

/** Places, and answers that ask for one. */
function placesFor() {
  const places = new EncoderPlaces();
  const taken: EventEmitter[] = [];
  const takes = (ip: string, closed = false) => {
    const response = Object.assign(new EventEmitter(), { closed }) as unknown as Response;
    const isTaken = places.take({ ip, ips: [], socket: {} } as unknown as Request, response);
    if (isTaken) taken.push(response);
    return isTaken;
  };
  return {
    takes,
    taken,
    times: (count: number, ip: string) => Array.from({ length: count }, () => takes(ip)),
  };
}

const yes = (count: number) => Array<boolean>(count).fill(true);

test("of one address few answers are compressed at a time, and others' still", () => {
  const { times } = placesFor();
  expect(times(atOncePerAddress + 1, "192.0.2.7")).toEqual([...yes(atOncePerAddress), false]);
  expect(times(1, "192.0.2.8")).toEqual([true]);
});

test("of all together some more, also of this machine's", () => {
  const { times } = placesFor();
  expect(times(atOnce + 1, "127.0.0.1")).toEqual([...yes(atOnce), false]);
  expect(times(1, "192.0.2.7")).toEqual([false]);
});

test("a place is free again once its answer is over", () => {
  const { takes, taken, times } = placesFor();
  times(atOncePerAddress, "192.0.2.7");
  taken[0]?.emit("close");
  expect([takes("192.0.2.7"), takes("192.0.2.7")]).toEqual([true, false]);
  for (const answer of taken.slice(1)) answer.emit("close");
  expect(times(atOnce + 1, "127.0.0.1")).toEqual([...yes(atOnce), false]);
});

test("an answer that is over already holds none", () => {
  const { takes, times } = placesFor();
  for (let times = 0; times < atOnce; times += 1) expect(takes("127.0.0.1", true)).toBe(false);
  expect(times(1, "127.0.0.1")).toEqual([true]);
});
