import { expect, type TestContext, test } from "vitest";
import { onPage, playsOn, withPages } from "./page.ts";

test("what the page reports by CMCD, its segments over WebTransport among it, is read back", async (context: TestContext) => {
  await withPages(
    context,
    async (running) => {
      const since = Date.now();
      await onPage(running, "/", async (page) => {
        await page.waitForFunction("nuwaStream.snapshot().path?.kind === 'webtransport'");
        await playsOn(page, 3);
      });
      const answer = await fetch(`${running.product.address}/api/telemetry/events.json?fromMs=${since}`);
      const events = (await answer.json()) as Record<string, unknown>[];
      const sessions = new Set(events.map(({ sid }) => sid));
      const sidOfDashjs = events.find(({ e }) => e === "rr")?.sid;
      const ofDashjs = events.filter(({ sid }) => sid === sidOfDashjs);
      expect(ofDashjs).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ e: "ps", sta: "p" }),
          expect.objectContaining({ e: "rr", rc: 200, br: expect.any(Number), ttlb: expect.any(Number) }),
        ]),
      );
      expect(sessions.size).toBe(2); // the page's own telemetry is another session
    },
    { serverArgs: ["--cmcd", "/api/telemetry/cmcd"] },
  );
});
