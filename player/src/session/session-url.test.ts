import { expect, it } from "vitest";
import { sessionUrl } from "./session-url.ts";
import { parameters } from "./testing/sample-parameters.ts";

it("names version, scheme and the receiver's parameters", () => {
  expect(sessionUrl("https://127.0.0.1:43211", parameters)).toBe(
    "https://127.0.0.1:43211/v1/nuwa?preset=on-demand&k=7&target_delay_ms=40",
  );
});

it("keeps an odd scheme name inside its path segment", () => {
  const url = new URL(sessionUrl("https://[::1]:4433", { ...parameters, scheme: "a/b?c" }));
  expect(url.pathname).toBe("/v1/a%2Fb%3Fc");
});

it("hands over what opens the session", () => {
  const url = new URL(sessionUrl("https://127.0.0.1:4433", parameters, "1800000000.ab-_"));
  expect(url.searchParams.get("token")).toBe("1800000000.ab-_");
});
