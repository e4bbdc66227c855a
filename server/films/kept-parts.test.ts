import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Refusal } from "../errors.ts";
import { temporaryFolder } from "../sample-app.ts";
import { type KeptLimits, KeptParts } from "./kept-parts.ts";
import { largeDisk } from "./sample-disk.ts";

const LIMITS: KeptLimits = { fileBytes: 1000, totalBytes: 3000, leastBytes: 100 };
const LATER_MS = 100_000;

function keep(directory = temporaryFolder(), limits = LIMITS) {
  let nowMs = 0;
  const parts = new KeptParts({
    directory,
    except: ["manifest.mpd"],
    limits,
    disk: largeDisk(),
    nowMs: () => nowMs,
  });
  const put = (path: string, sizeBytes: number) => {
    nowMs += LATER_MS;
    return parts.add(path, async () => {
      write(join(directory, path), sizeBytes);
      return sizeBytes;
    });
  };
  const held = () => readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();
  return { parts, directory, put, held };
}

function write(file: string, sizeBytes: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x".repeat(sizeBytes));
}

test("where there is no room, the parts go that were not used for longest, with their folders", async () => {
  const { parts, put, held } = keep();
  await put("a/1.m4s", 1000);
  await put("b/2.m4s", 1000);
  expect(await parts.has("a/1.m4s")).toBe(true);
  await put("3.m4s", 1000);
  await put("4.m4s", 1000);
  expect(held()).toEqual(["3.m4s", "4.m4s", "a", "a/1.m4s"]);
  expect(await parts.has("b/2.m4s")).toBe(false);
});

test("what was used just now stays, and the newcomer is told to come again", async () => {
  const { parts, put, held } = keep();
  await put("1.m4s", 1000);
  await put("2.m4s", 1000);
  await parts.has("1.m4s");
  const two = parts.add("4.m4s", () => Promise.resolve(0));
  const three = parts.add("5.m4s", () => Promise.resolve(0));
  await two;
  await expect(three).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
  expect(held()).toEqual(["1.m4s", "2.m4s"]);
});

test("an empty part counts, and each folder in its path", async () => {
  const { put, held } = keep();
  for (let number = 10; number < 40; number += 1) await put(`${number}.m4s`, 0);
  expect(held()).toHaveLength(21);
  for (let number = 10; number < 40; number += 1) await put(`d${number}/e/f/${number}.m4s`, 0);
  expect(held().filter((path) => path.endsWith(".m4s"))).toHaveLength(6);
  expect(held()).toHaveLength(6 * 4);
});

test("what is put again counts once, and what is not put leaves neither room taken nor folders", async () => {
  const { parts, put, held } = keep();
  for (let number = 0; number < 9; number += 1) await put("1.m4s", 900);
  const fails = () => {
    mkdirSync(join(directory, "g/h"), { recursive: true });
    return Promise.reject(new Refusal(404, "Not Found"));
  };
  const { directory, ...other } = keep();
  await other.put("g/1.m4s", 10);
  for (let number = 0; number < 9; number += 1)
    await expect(other.parts.add("g/h/2.m4s", fails)).rejects.toThrow("Not Found");
  expect(other.held()).toEqual(["g", "g/1.m4s"]);
  await put("2.m4s", 900);
  expect([await parts.has("1.m4s"), held()]).toEqual([true, ["1.m4s", "2.m4s"]]);
});

test("a folder into which another part comes stays", async () => {
  const { parts, directory } = keep();
  let finish = () => {};
  const slow = parts.add("v/1.m4s", async () => {
    mkdirSync(join(directory, "v"));
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    write(join(directory, "v/1.m4s"), 10);
    return 10;
  });
  await expect(parts.add("v/2.m4s", () => Promise.reject(new Error("cut")))).rejects.toThrow("cut");
  expect(existsSync(join(directory, "v"))).toBe(true);
  finish();
  await slow;
  expect(await parts.has("v/1.m4s")).toBe(true);
});

test("what lies there from before is known, the manifest is not counted, and half a part is removed", async () => {
  const directory = temporaryFolder();
  for (const [path, sizeBytes, usedAtSeconds] of [
    ["new.m4s", 1000, 2000],
    ["v/old.m4s", 1000, 1000],
    ["v/.pull-1-1", 1000, 3000],
    ["manifest.mpd", 9000, 0],
  ] as const) {
    write(join(directory, path), sizeBytes);
    utimesSync(join(directory, path), usedAtSeconds, usedAtSeconds);
  }
  const { put, held } = keep(directory);
  expect(held()).toEqual(["manifest.mpd", "new.m4s", "v", "v/old.m4s"]);
  await put("1.m4s", 1000);
  await put("2.m4s", 1000);
  expect(held()).toEqual(["1.m4s", "2.m4s", "manifest.mpd", "new.m4s"]);
});

test("a part that somebody removed is not there", async () => {
  const { parts, put, directory } = keep();
  await put("1.m4s", 10);
  rmSync(join(directory, "1.m4s"));
  expect(await parts.has("1.m4s")).toBe(false);
});
