import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { cpuUseBetween, cpuUseOf, slowdownOf } from "./cpu-use.ts";

test("who waited as long as it ran took twice its time", () => {
  const use = cpuUseBetween({ usedSeconds: 1, waitedSeconds: 0 }, { usedSeconds: 3, waitedSeconds: 2 });
  expect(use).toEqual({ usedSeconds: 2, waitedSeconds: 2 });
  expect(slowdownOf(use)).toBe(2);
});

test("where the system does not tell nothing is late", () => {
  expect(slowdownOf(cpuUseBetween(null, { usedSeconds: 3, waitedSeconds: 2 }))).toBe(1);
});

test.runIf(process.platform === "linux")("the processes of this one's group have used some", async () => {
  const stat = await readFile("/proc/self/stat", "utf8");
  const group = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
  expect((await cpuUseOf([group]))?.usedSeconds).toBeGreaterThan(0);
});

test("a group that is not there tells nothing", async () => {
  expect(await cpuUseOf([])).toBeNull();
});
