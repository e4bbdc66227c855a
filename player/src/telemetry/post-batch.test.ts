import { expect, test } from "vitest";
import { postBatch } from "./post-batch.ts";
import { CMCD_VERSION, SCHEMA_VERSION, type TelemetryBatch } from "./vocabulary.ts";

const NOTHING: TelemetryBatch = {
  ...{ schema: SCHEMA_VERSION, v: CMCD_VERSION, cid: "film", sf: "d", st: "v", dropped: 0, events: [] },
};

test("a server that does not answer is asked again later", async () => {
  const neverAnswers: typeof fetch = (_url, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const sent = await postBatch(neverAnswers, "sid", NOTHING, { keepalive: false, answerMs: 1 });
  expect(sent).toEqual({ kind: "later", afterMs: 0 });
});
