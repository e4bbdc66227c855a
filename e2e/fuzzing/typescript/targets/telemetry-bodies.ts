import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "../../../../server/errors.ts";
import { createLog } from "../../../../server/log.ts";
import { parseBatch } from "../../../../server/telemetry/batch.ts";
import { createTelemetry } from "../../../../server/telemetry/telemetry.ts";
import { changedJson, textOf } from "../inputs.ts";
import type { NodeTarget } from "../target.ts";

/** Batches that are committed together, as those of many pages are. */
const AT_ONCE = 500;

const NOW_MS = 1_700_000_000_000;

const event = (sn: number, changes: object = {}) => ({
  sn,
  ts: NOW_MS + sn,
  e: "t",
  sta: "p",
  bl: 8000,
  br: 3000,
  ...changes,
});
const batch = (events: readonly object[], changes: object = {}) => ({
  ...{ schema: 1, v: 2, cid: "Sample", sf: "d", st: "v", dropped: 0, events },
  ...changes,
});
const BATCHES = [
  batch([event(0), event(1)]),
  batch([event(5, { e: "ps", sta: "s" }), event(6, { e: "bc", br: 800 })]),
  batch([event(7, { e: "e", ec: "network" })], { st: "l", dropped: 3 }),
  batch([]),
];

/** Bodies of telemetry behind Express's reader of JSON: what is valid is written to a store on the disk. */
export const telemetryBodies: NodeTarget = {
  name: "telemetry-bodies",
  inputs: changedJson(BATCHES),
  inputsEach: 20_000,
  open() {
    const folder = mkdtempSync(join(tmpdir(), "nuwa-fuzz-"));
    const faults: string[] = [];
    const { store } = createTelemetry(
      folder,
      createLog("error", (line) => faults.push(line)),
    );
    const sid = randomUUID();
    const writing: Promise<void>[] = [];
    return {
      async feed(data) {
        const body = readBatch(data);
        if (body === null) return false;
        const count = body.events.length;
        writing.push(
          store.accept({ sid, batch: body }).then(({ accepted, duplicates }) => {
            if (accepted + duplicates !== count) throw new Error(`${accepted} + ${duplicates} of ${count}`);
          }),
        );
        if (writing.length >= AT_ONCE) await Promise.all(writing.splice(0));
        if (faults.length > 0) throw new Error(faults.join("\n"));
        return true;
      },
      async close() {
        await Promise.all(writing.splice(0));
        await store.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

function readBatch(data: Uint8Array) {
  try {
    return parseBatch(JSON.parse(textOf(data)), NOW_MS);
  } catch (error) {
    if (error instanceof Refusal || error instanceof SyntaxError) return null;
    throw error;
  }
}
