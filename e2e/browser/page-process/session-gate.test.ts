import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { LATEST_MS, LateError, SessionGate } from "./session-gate.ts";

const NOBODY = new AbortController().signal;

function gateBefore(answered: string[]) {
  const gate = new SessionGate((request) => void answered.push(request.url ?? ""));
  const ask = (url: string) => gate.listener({ url } as IncomingMessage, {} as ServerResponse);
  return { gate, ask };
}

test("a page loads, and has its configuration when it is time", async () => {
  const answered: string[] = [];
  const { gate, ask } = gateBefore(answered);
  ask("/api/config");
  ask("/main.js");
  expect(answered).toEqual(["/main.js"]);
  const before = now();
  // Node's timers go by a clock of whole milliseconds, and may be early by one and a part.
  expect(await gate.openAt(before + 20, NOBODY)).toBeGreaterThanOrEqual(before + 18);
  expect(answered).toEqual(["/main.js", "/api/config"]);
});

test("a page that is a little late began when it asked", async () => {
  const { gate, ask } = gateBefore([]);
  const opened = gate.openAt(now(), NOBODY);
  await new Promise((resolve) => setImmediate(resolve));
  const askedAtMs = now();
  ask("/api/config");
  expect(await opened).toBeGreaterThanOrEqual(askedAtMs);
});

test("a page that is later would meet another stretch of the link: it is refused", async () => {
  const { gate, ask } = gateBefore([]);
  const opened = gate.openAt(now() - LATEST_MS - 1, NOBODY);
  ask("/api/config");
  await expect(opened).rejects.toThrow(LateError);
});

function now(): number {
  return performance.timeOrigin + performance.now();
}
