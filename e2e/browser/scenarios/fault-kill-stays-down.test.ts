import { expect, test } from "vitest";
import { killPortClosed } from "../faults/matrix/kill-port-closed.ts";
import { killStaysDown } from "../faults/matrix/kill-stays-down.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test.for([
  ["nobody tells the browser", killStaysDown],
  ["the system tells the browser", killPortClosed],
] as const)("the film goes on over HTTP when the transport stays down and %s", async ([, fault], context) => {
  const outcome = await befall(context, fault);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.httpSegments).toBeGreaterThan(0);
  expect(outcome.endPath).toBe("http");
});
