import { expect, test } from "vitest";
import { pageHidden } from "../faults/matrix/page-hidden.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on in a tab that nobody sees", async (context) => {
  const outcome = await befall(context, pageHidden);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.httpSegments).toBe(0);
  expect(outcome.endPath).toBe("webtransport");
});
