import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { filesBelow, fingerprint } from "./fingerprint.mjs";

let root = "";
beforeEach(() => {
  root = temporaryFolder();
});

function write(name: string, content: string): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

test("the order of the files does not matter", () => {
  const files = [write("a", "1"), write("b", "2")];
  expect(fingerprint({ root, files: [...files].reverse() })).toBe(fingerprint({ root, files }));
});

test("content, name and words each change it", () => {
  const file = write("a", "1");
  const renamed = write("b", "1");
  const first = fingerprint({ root, files: [file] });
  expect(fingerprint({ root, files: [renamed] })).not.toBe(first);
  expect(fingerprint({ root, files: [file], words: ["x"] })).not.toBe(first);
  write("a", "2");
  expect(fingerprint({ root, files: [file] })).not.toBe(first);
});

test("content cannot pass for another file's", () => {
  const one = fingerprint({ root, files: [write("a", "xy"), write("b", "z")] });
  const other = fingerprint({ root, files: [write("a", "x"), write("b", "yz")] });
  expect(other).not.toBe(one);
});

test("dotfiles and packages are not among the files below a folder", () => {
  for (const folder of ["src", "node_modules", ".cache"]) mkdirSync(join(root, folder));
  for (const name of ["src/a.ts", "src/a.md", "node_modules/b.ts", ".cache/c.ts", ".d.ts"]) write(name, "");
  expect(filesBelow(root, (path) => path.endsWith(".ts"))).toEqual([join(root, "src", "a.ts")]);
});
