import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onceSettled } from "./once-settled.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("acts once on all that came close together, the last of each counting", () => {
  const act = vi.fn();
  const change = onceSettled<{ scheme: string; rule: string }>(act, 300);
  change({ scheme: "bbr" });
  vi.advanceTimersByTime(299);
  change({ rule: "bola" });
  change({ scheme: "cubic" });
  vi.advanceTimersByTime(299);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act.mock.calls).toEqual([[{ scheme: "cubic", rule: "bola" }]]);
});

it("begins anew with what comes later", () => {
  const act = vi.fn();
  const change = onceSettled<{ scheme: string; rule: string }>(act, 300);
  change({ scheme: "bbr" });
  vi.advanceTimersByTime(300);
  change({ rule: "bola" });
  vi.advanceTimersByTime(300);
  expect(act.mock.calls).toEqual([[{ scheme: "bbr" }], [{ rule: "bola" }]]);
});
