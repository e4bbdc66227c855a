import { expect, test } from "vitest";
import { certificateRotated } from "../faults/matrix/certificate-rotated.ts";
import { befall, NO_STALL_SECONDS } from "./fault.ts";

test("sessions outlive their certificate, and who comes later is told of the new one", async (context) => {
  const outcome = await befall(context, certificateRotated);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.paths).toEqual(["webtransport"]);
  expect(outcome.httpSegments).toBe(0);
});
