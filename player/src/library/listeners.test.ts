import { afterEach, expect, test, vi } from "vitest";
import { Listeners } from "./listeners.ts";

interface Events {
  readonly path: string;
}

afterEach(() => vi.unstubAllGlobals());

test("a listener that throws is reported, and keeps nobody from being told", () => {
  const reported: unknown[] = [];
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
  const events = new Listeners<Events>();
  const told: string[] = [];
  const failure = new Error("of the page's own");
  events.on("path", () => {
    throw failure;
  });
  events.on("path", (path) => told.push(path));
  events.tell("path", "http");
  expect(told).toEqual(["http"]);
  expect(reported).toEqual([failure]);
});

test("who ended the listening, or was cleared, is told nothing", () => {
  const events = new Listeners<Events>();
  const told: string[] = [];
  const end = events.on("path", (path) => told.push(`first ${path}`));
  events.on("path", (path) => told.push(`second ${path}`));
  end();
  events.tell("path", "http");
  events.clear();
  events.tell("path", "webtransport");
  expect(told).toEqual(["second http"]);
});
