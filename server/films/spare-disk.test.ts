import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Refusal } from "../errors.ts";
import { temporaryFolder } from "../sample-app.ts";
import { KeptParts } from "./kept-parts.ts";
import { SpareDisk } from "./spare-disk.ts";

const LIMITS = { fileBytes: 1000, totalBytes: 1_000_000, leastBytes: 1 };
const LATER_MS = 100_000;
const DISK_BYTES = 10_000;
const LEAST_FREE_BYTES = 4000;

/** Two films on a disk. What is free of it is what parts and others leave, unless a test says otherwise. */
function disk(freeBytes?: () => Promise<number>, limits = LIMITS) {
  const root = temporaryFolder();
  const told: string[] = [];
  const others = { bytes: 0 };
  const names = () =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".m4s"))
      .toSorted();
  const spare = new SpareDisk({
    leastFreeBytes: LEAST_FREE_BYTES,
    freeBytes: freeBytes ?? (async () => DISK_BYTES - others.bytes - 1000 * names().length),
    tell: (text) => told.push(text),
  });
  let nowMs = 0;
  const film = (name: string) => {
    const directory = join(root, name);
    mkdirSync(directory, { recursive: true });
    const parts = new KeptParts({ directory, except: [], limits, disk: spare, nowMs: () => nowMs });
    const put = (part: string, sizeBytes = 1000) => {
      nowMs += LATER_MS;
      return parts.add(part, async () => {
        write(join(directory, part), sizeBytes);
        return sizeBytes;
      });
    };
    return { parts, put, directory };
  };
  return { film, names, told, others, root };
}

function write(file: string, sizeBytes: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x".repeat(sizeBytes));
}

test("what is to be free stays so, and the parts go that no film has used for longest", async () => {
  const { film, names } = disk();
  const [idle, played] = [film("idle"), film("played")];
  for (const number of [1, 2, 3]) await idle.put(`${number}.m4s`);
  for (const number of [1, 2, 3]) await played.put(`${number}.m4s`);
  expect(names()).toHaveLength(6);
  await idle.parts.has("1.m4s");
  await played.put("4.m4s");
  expect(names()).toHaveLength(6);
  await played.put("5.m4s");
  expect(names()).toEqual(["idle/1.m4s", ...[1, 2, 3, 4, 5].map((number) => `played/${number}.m4s`)]);
});

test("what others take is free again after as many bytes have come", async () => {
  const { film, names, others } = disk();
  const { put } = film("a");
  for (const number of [1, 2, 3, 4, 5, 6]) await put(`${number}.m4s`);
  others.bytes = 2000;
  await put("7.m4s");
  expect(names()).toHaveLength(5);
  await put("8.m4s");
  expect(names()).toEqual(["a/5.m4s", "a/6.m4s", "a/7.m4s", "a/8.m4s"]);
});

test("a disk that tells late of what is free loses twice what comes at most", async () => {
  let free = DISK_BYTES;
  const { film, names } = disk(() => Promise.resolve(free));
  const [{ put }, large] = [film("a"), film("large")];
  await large.put("1.m4s", 900);
  for (let number = 10; number < 20; number += 1) await put(`${number}.m4s`, 100);
  free = 0;
  for (let number = 20; number < 24; number += 1) await put(`${number}.m4s`, 100);
  expect(names()).toHaveLength(15);
  await put("24.m4s", 100);
  expect(names()).toHaveLength(14); // without the large one, and one of the small ones
  await put("25.m4s", 100);
  expect(names()).toHaveLength(13);
  free = LEAST_FREE_BYTES;
  await put("26.m4s", 100);
  expect(names()).toHaveLength(14);
});

test("small parts, which count for more than they take, make room for as much as comes", async () => {
  let takenBytes = () => 0;
  const { film, root } = disk(async () => DISK_BYTES - takenBytes(), { ...LIMITS, leastBytes: 1000 });
  takenBytes = () =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".m4s"))
      .reduce((sum, name) => sum + statSync(join(root, name)).size, 0);
  const [radio, cinema] = [film("radio"), film("cinema")];
  for (let number = 0; number < 60; number += 1) await radio.put(`${number}.m4s`, 100);
  for (let number = 0; number < 10; number += 1) await cinema.put(`${number}.m4s`, 900);
  expect(DISK_BYTES - takenBytes()).toBeGreaterThanOrEqual(LEAST_FREE_BYTES);
});

test("what nothing could go for is not made up for later", async () => {
  const { film, names } = disk(() => Promise.resolve(0));
  const { put, parts } = film("a");
  for (const number of [1, 2, 3]) {
    await Promise.all([put(`${number}.m4s`), parts.has("1.m4s"), parts.has("2.m4s")]);
  }
  expect(names()).toHaveLength(3);
  await put("4.m4s", 500);
  expect(names()).toEqual(["a/2.m4s", "a/3.m4s", "a/4.m4s"]);
});

test("what was used just now stays, however little is free", async () => {
  const { film, names } = disk(() => Promise.resolve(0));
  const { put, parts } = film("a");
  await put("1.m4s");
  await Promise.all([put("2.m4s"), parts.has("1.m4s")]);
  expect(names()).toEqual(["a/1.m4s", "a/2.m4s"]);
});

test("where nobody knows what is free, parts come as ever, and that is told once", async () => {
  const { film, names, told } = disk(() => Promise.reject(new Error("ENOSYS")));
  const { put } = film("a");
  for (const number of [1, 2, 3]) await put(`${number}.m4s`);
  expect(names()).toHaveLength(3);
  expect(told).toEqual([expect.stringContaining("is not known (ENOSYS)")]);
});

test("where the disk is full, those go that were not used for longest, for the next that comes", async () => {
  const { film, names } = disk();
  const [idle, played] = [film("idle"), film("played")];
  for (const number of [1, 2, 3]) await idle.put(`${number}.m4s`);
  await played.put("1.m4s");
  const refused = (status: number) =>
    played.parts.add("2.m4s", () => Promise.reject(new Refusal(status, "no")));
  for (const status of [404, 502, 503]) await expect(refused(status)).rejects.toMatchObject({ status });
  expect(names()).toHaveLength(4);
  await expect(refused(507)).rejects.toMatchObject({ status: 507 });
  expect(names()).toEqual(["idle/3.m4s", "played/1.m4s"]);
});

test("a folder that somebody removed does not come again by a part that does not come", async () => {
  const { film, root } = disk(() => Promise.resolve(0));
  const { put, parts } = film("a");
  await put("1.m4s");
  rmSync(root, { recursive: true });
  for (const error of [new Error("aborted"), new Refusal(507, "full")])
    await expect(parts.add("2.m4s", () => Promise.reject(error))).rejects.toBe(error);
  expect(existsSync(root)).toBe(false);
});

test("parts from before the start go by when they were used, whichever film they are of", async () => {
  const { film, names, root, others } = disk();
  const now = Date.now() / 1000;
  for (const [part, secondsAgo] of [
    ["a/1.m4s", 3000],
    ["b/2.m4s", 4000],
    ["a/3.m4s", 1000],
    ["b/4.m4s", 2000],
    ["b/5.m4s", -9000], // by a clock that was wrong
  ] as const) {
    write(join(root, part), 1000);
    utimesSync(join(root, part), now - secondsAgo, now - secondsAgo);
  }
  const { put } = film("a");
  film("b");
  others.bytes = 2000;
  await put("6.m4s");
  expect(names()).toEqual(["a/3.m4s", "a/6.m4s", "b/4.m4s", "b/5.m4s"]);
  others.bytes = 6000;
  await put("7.m4s");
  await put("8.m4s");
  expect(names()).toEqual(["a/7.m4s", "a/8.m4s"]);
});
