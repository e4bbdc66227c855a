import { afterEach, expect, it, vi } from "vitest";
import { idle } from "./idle.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("waits for the browser to be idle, for a second at the most", async () => {
  const asked = vi.fn((callback: () => void) => callback());
  vi.stubGlobal("requestIdleCallback", asked);
  await idle();
  expect(asked).toHaveBeenCalledWith(expect.any(Function), { timeout: 1000 });
});

it("goes on in a later task where the browser does not tell", async () => {
  expect("requestIdleCallback" in globalThis).toBe(false);
  await expect(idle()).resolves.toBeUndefined();
});
