import { afterEach, expect, it, vi } from "vitest";
import { isTelemetryWanted } from "./page-telemetry.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ["", {}, true],
  ["telemetry=0", {}, false],
  ["", { globalPrivacyControl: true }, false],
  ["", { globalPrivacyControl: false }, true],
])("with %j in the address and %j a film is reported: %j", (query, browser, isWanted) => {
  vi.stubGlobal("navigator", browser);
  expect(isTelemetryWanted(new URLSearchParams(query))).toBe(isWanted);
});
