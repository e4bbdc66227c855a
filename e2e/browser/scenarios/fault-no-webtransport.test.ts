import { expect, test } from "vitest";
import { noWebTransport } from "../faults/matrix/no-webtransport.ts";
import { befall, FIRST_FRAME_WITHIN_SECONDS, NO_STALL_SECONDS } from "./fault.ts";

test("the film begins over HTTP in a browser without WebTransport, and says so", async (context) => {
  const outcome = await befall(context, noWebTransport);
  expect(outcome.firstFrameSeconds).toBeLessThan(FIRST_FRAME_WITHIN_SECONDS);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.httpSegments).toBeGreaterThan(0);
  expect(outcome.endPath).toBe("http");
  expect(outcome.notice).toMatch(/WebTransport/);
});
