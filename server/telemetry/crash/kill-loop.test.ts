import { expect, test } from "vitest";
import { temporaryFolder } from "../../sample-app.ts";
import { killLoop } from "./kill-loop.ts";

test("what was accepted is there exactly once after ten kills", { timeout: 60_000 }, async () => {
  const seed = Date.now() % 2 ** 31;
  const report = await killLoop({ directory: temporaryFolder(), kills: 10, senders: 6, seed });
  expect(report.damage, `seed ${seed}`).toEqual([]);
  expect(report, `seed ${seed}`).toMatchObject({
    kills: 10,
    lost: 0,
    doubled: 0,
    changed: 0,
    miscounted: 0,
    damagedFiles: 0,
  });
  expect(report.accepted).toBeGreaterThanOrEqual(5);
  expect(report.killsDuringRequests).toBeGreaterThan(0);
});
