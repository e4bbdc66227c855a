import { expect, test } from "vitest";
import { udpBlocked } from "../faults/matrix/udp-blocked.ts";
import { befall, FIRST_FRAME_WITHIN_SECONDS, NO_STALL_SECONDS } from "./fault.ts";

test("the film begins over HTTP where UDP is blocked", async (context) => {
  const outcome = await befall(context, udpBlocked);
  expect(outcome.firstFrameSeconds).toBeLessThan(FIRST_FRAME_WITHIN_SECONDS);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.httpSegments).toBeGreaterThan(0);
  expect(outcome.endPath).toBe("http");
});
