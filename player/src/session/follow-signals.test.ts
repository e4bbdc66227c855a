import { expect, it, vi } from "vitest";
import { followSignals } from "./follow-signals.ts";

it("aborts with the first signal's reason", () => {
  const [first, second, controller] = [new AbortController(), new AbortController(), new AbortController()];
  followSignals(controller, first.signal, second.signal);
  expect(controller.signal.aborted).toBe(false);
  second.abort("left");
  first.abort("not wanted");
  expect(controller.signal.reason).toBe("left");
});

it("aborts at once where a signal is aborted already", () => {
  const controller = new AbortController();
  followSignals(controller, new AbortController().signal, AbortSignal.abort("not wanted"));
  expect(controller.signal.reason).toBe("not wanted");
});

it("leaves no listener once it is ended", () => {
  const [long, controller] = [new AbortController(), new AbortController()];
  const [added, removed] = (["addEventListener", "removeEventListener"] as const).map((name) =>
    vi.spyOn(long.signal, name),
  );
  followSignals(controller, long.signal)();
  expect(removed?.mock.calls).toEqual(added?.mock.calls);
  long.abort();
  expect(controller.signal.aborted).toBe(false);
});
