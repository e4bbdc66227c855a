import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inOnePiece } from "./pieces.ts";

const folder = mkdtempSync(join(tmpdir(), "nuwa-pieces-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("what runs beside others is heard at its end, once, and its exit code is told", async () => {
  const heard: string[] = [];
  const output = { write: (text: string) => heard.push(text) };
  const run = async (logFile: string) => {
    appendFileSync(logFile, "one\n");
    await Promise.resolve();
    appendFileSync(logFile, "two\n");
    expect(heard).toEqual([]);
    return 3;
  };
  expect(await inOnePiece("checks", run, { folder, output })).toBe(3);
  expect(await inOnePiece("checks", async () => 0, { folder, output })).toBe(0); // which says nothing, and nothing old is heard
  expect(heard).toEqual(["\none\ntwo\n", "\n"]);
});
