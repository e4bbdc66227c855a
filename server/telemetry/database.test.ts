import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { Database } from "./database.ts";
import { sampleEvent } from "./sample-telemetry.ts";

/** Bytes of the log after each of some writes of new sessions. */
async function logSizes(options: { maxIndexBytes?: number } = {}): Promise<number[]> {
  const path = join(temporaryFolder(), "telemetry.duckdb");
  const database = await Database.open(path, options);
  onTestFinished(() => database.close());
  const sizes: number[] = [];
  for (let write = 0; write < 3; write += 1) {
    const sids = Array.from({ length: 50 }, () => randomUUID());
    const session = { cid: "Sample", sf: "d", st: "v", v: 2, dropped: 0, received_at_ms: 0 };
    const inserted = await database.write(
      sids.map((sid) => ({ sid, ...session })),
      sids.map((sid) => ({ sid, ...sampleEvent(0), received_at_ms: 0 })),
    );
    expect(inserted).toHaveLength(50);
    sizes.push(statSync(`${path}.wal`).size);
  }
  return sizes;
}

test("the log is folded into the file as soon as indexes take more memory than they may", async () => {
  const [, second = 0, third = 0] = await logSizes();
  expect(third).toBeGreaterThan(second);
  const [, folded = 0, again = 0] = await logSizes({ maxIndexBytes: 0 });
  expect(again, "of one write alone").toBeLessThan(folded * 1.5);
  expect(again).toBeLessThan(third / 2);
});
