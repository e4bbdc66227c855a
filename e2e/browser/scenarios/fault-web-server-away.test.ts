import { expect, test } from "vitest";
import { webServerAway } from "../faults/matrix/web-server-away.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on over WebTransport while the web server is away", async (context) => {
  const outcome = await befall(context, webServerAway);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.httpSegments).toBe(0);
  expect(outcome.paths).toEqual(["webtransport"]);
});
