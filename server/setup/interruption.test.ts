import { afterEach, expect, test, vi } from "vitest";
import { abortOnSignals, Interruption } from "./interruption.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const others = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));

afterEach(() => {
  for (const name of SIGNALS)
    for (const listener of process.listeners(name))
      if (others.get(name)?.includes(listener) === false) process.off(name, listener);
});

test("a polite kill after a hang-up cuts no tidying up short, a second hang-up does", () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const signal = abortOnSignals();
  process.emit("SIGHUP", "SIGHUP");
  expect(signal.reason).toBeInstanceOf(Interruption);
  process.emit("SIGTERM", "SIGTERM");
  expect(exit).not.toHaveBeenCalled();
  expect(signal.reason).toMatchObject({ message: "stopped by SIGHUP" });
  process.emit("SIGHUP", "SIGHUP");
  expect(exit).toHaveBeenCalledExactlyOnceWith(129);
});
