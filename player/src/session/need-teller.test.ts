import { expect, it, vi } from "vitest";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import { needTeller } from "./need-teller.ts";
import type { NetworkEstimate } from "./network-estimate.ts";

const NEED: Need = { rateBytesPerSecond: 1e6, bufferSeconds: 4, fullBufferSeconds: 18 };

it("tells of a need at the first estimate and at the next after 0.45 s, where there are both", () => {
  let need: Need | null = null;
  const tell = vi.fn();
  const listen = needTeller(() => need, tell);
  const toldAtMs: (number | null)[] = [];
  for (const atMs of [0, null, 450, 500, 899, 900]) {
    need = atMs === 0 ? null : NEED;
    listen(atMs === null ? null : ({ atMs } as NetworkEstimate));
    if (tell.mock.calls.length > toldAtMs.length) toldAtMs.push(atMs);
  }
  expect(toldAtMs).toEqual([450, 900]);
  expect(tell).toHaveBeenCalledWith(NEED);
});

it("goes on telling where a new worker's clock is behind that of the one before", () => {
  const tell = vi.fn();
  const listen = needTeller(() => NEED, tell);
  for (const atMs of [3_600_000, 100, 200, 600]) listen({ atMs } as NetworkEstimate);
  expect(tell).toHaveBeenCalledTimes(3);
});
