import { expect, it } from "vitest";
import type { NetworkEstimate } from "../../session/network-estimate.ts";
import { LateHost } from "./late-host.ts";

/** A sample each quarter of a second; of two receivers, the other is in time. */
function tell(host: LateHost, fromSeconds: number, toSeconds: number, lateSeconds: number): string | null {
  for (let at = fromSeconds; at < toSeconds; at += 0.25) {
    host.add(1000 * at, [
      { hostLateSeconds: 0 } as NetworkEstimate,
      { hostLateSeconds: lateSeconds } as NetworkEstimate,
    ]);
  }
  return host.text;
}

it("says nothing of a computer in time, nor before anything is known", () => {
  const host = new LateHost();
  host.add(0, [null]);
  expect(host.text).toBeNull();
  expect(tell(host, 0.25, 30, 0.012)).toBeNull();
});

it("says how late it is once that lasts, and keeps the figure until it is over", () => {
  const host = new LateHost();
  expect(tell(host, 0, 5, 0.074)).toBeNull();
  const text = tell(host, 5, 6, 0.074);
  expect(text).toContain("up to 80 ms of the delay");
  expect(tell(host, 6, 20, 0.2)).toBe(text);
  expect(tell(host, 20, 28, 0.001)).toBe(text);
  expect(tell(host, 28, 30, 0.001)).toBeNull();
});

it("says nothing of a moment", () => {
  const host = new LateHost();
  tell(host, 0, 10, 0.001);
  tell(host, 10, 12, 0.5);
  expect(tell(host, 12, 30, 0.001)).toBeNull();
});
