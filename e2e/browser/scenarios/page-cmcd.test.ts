import { expect, vi } from "vitest";
import { onPage, playsOn, test } from "./page.ts";

const LIMIT_MS = 60_000;

test("what the page reports by CMCD, its segments over WebTransport among it, is read back", async ({
  withPages,
}) => {
  await withPages(
    async (running) => {
      const since = Date.now();
      const reported = async () => {
        const answer = await fetch(`${running.product.address}/api/telemetry/events.json?fromMs=${since}`);
        return (await answer.json()) as Record<string, unknown>[];
      };
      await onPage(running, "/", async (page) => {
        await page.waitForFunction("nuwaStream.snapshot().path?.kind === 'webtransport'");
        await playsOn(page, 3);
        // the page's own telemetry is another session
        const areBothThere = async () => new Set((await reported()).map(({ sid }) => sid)).size === 2;
        await vi.waitUntil(areBothThere, { timeout: LIMIT_MS, interval: 200 });
      });
      const events = await reported();
      const sidOfDashjs = events.find(({ e }) => e === "rr")?.sid;
      expect(events.filter(({ sid }) => sid === sidOfDashjs)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ e: "ps", sta: "p" }),
          expect.objectContaining({ e: "rr", rc: 200, br: expect.any(Number), ttlb: expect.any(Number) }),
        ]),
      );
    },
    { serverArgs: ["--cmcd", "/api/telemetry/cmcd"] },
  );
});
