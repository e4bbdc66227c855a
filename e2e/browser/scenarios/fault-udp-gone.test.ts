import { expect, test } from "vitest";
import { udpGone } from "../faults/matrix/udp-gone.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on over HTTP when UDP is blocked in its middle", async (context) => {
  const outcome = await befall(context, udpGone);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.httpSegments).toBeGreaterThan(0);
  expect(outcome.endPath).toBe("http");
});
