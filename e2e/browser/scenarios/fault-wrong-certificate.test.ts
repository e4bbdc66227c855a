import { expect, test } from "vitest";
import { wrongCertificate } from "../faults/matrix/wrong-certificate.ts";
import { befall, FIRST_FRAME_WITHIN_SECONDS, NO_STALL_SECONDS } from "./fault.ts";

test("the film begins over HTTP when the certificate is not the one that was announced", async (context) => {
  const outcome = await befall(context, wrongCertificate);
  expect(outcome.firstFrameSeconds).toBeLessThan(FIRST_FRAME_WITHIN_SECONDS);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.httpSegments).toBeGreaterThan(0);
  expect(outcome.endPath).toBe("http");
});
