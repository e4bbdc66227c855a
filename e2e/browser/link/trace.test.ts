import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findTraces, LinkError } from "./trace.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "nuwa-trace-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

test("a rate becomes evenly spread opportunities of a second, the same both ways", async () => {
  const { name, downlink, uplink } = await findTraces("24mbit", null);
  expect(name).toBe("24mbit");
  // 24e6 bit/s / (1504 * 8 bit) = 1994.7 opportunities
  const times = downlink.trimEnd().split("\n").map(Number);
  expect([times.length, times.at(-1)]).toEqual([1995, 1000]);
  const inTenth = times.filter((time) => time > 300 && time <= 400).length;
  expect(Math.abs(inTenth - 199.5)).toBeLessThanOrEqual(1);
  expect(uplink).toBe(downlink);
});

test("a rate that no link has is refused", async () => {
  await expect(findTraces("0mbit", null)).rejects.toThrow(LinkError);
});

test("a recorded trace brings its uplink, a file serves both directions", async () => {
  await writeFile(join(directory, "Walk.down"), "1\n2\n2\n");
  await writeFile(join(directory, "Walk.up"), "5\n");
  await writeFile(join(directory, "mine"), "7\n9\n");
  expect(await findTraces("Walk", directory)).toMatchObject({
    name: "Walk",
    downlink: "1\n2\n2\n",
    uplink: "5\n",
  });
  const own = await findTraces(join(directory, "mine"), directory);
  expect([own.downlink, own.uplink]).toEqual(["7\n9\n", "7\n9\n"]);
});

test("a generated trace comes from the relay's catalogue, always the same", async () => {
  const { name, downlink, uplink } = await findTraces("steps", null);
  expect(name).toBe("steps");
  // 24 Mbit/s for 12 s, of 60 s
  const times = downlink.trimEnd().split("\n").map(Number);
  expect(times.filter((time) => time <= 12_000)).toHaveLength(23_936);
  expect(times.at(-1)).toBe(60_000);
  expect(uplink).not.toBe(downlink);
  expect(await findTraces("steps", directory)).toMatchObject({ downlink, uplink });
});

test("an unknown link names those that are known", async () => {
  await expect(findTraces("Wlak", directory)).rejects.toThrow(
    /^link 'Wlak' is neither a rate \(24mbit\), a file, nor one of none, lte-like, /,
  );
});

test("a file that is no trace is refused by its line", async () => {
  const file = join(directory, "bad");
  await writeFile(file, "3\n2\n");
  await expect(findTraces(file, directory)).rejects.toThrow("bad: line 2 goes back in time, from 3 to 2 ms");
});

test("a table of rates becomes opportunities", async () => {
  const file = join(directory, "walk.csv");
  // 1504 bytes in 2 ms, then in 1 ms
  await writeFile(file, "time_s,bits_per_s\n0,6016000\n0.004,12032000\n");
  const { name, downlink, uplink } = await findTraces(file, null);
  expect([name, downlink, uplink]).toEqual(["walk.csv", "2\n4\n5\n6\n7\n8\n", downlink]);
});
