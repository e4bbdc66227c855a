import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../../../server/sample-app.ts";
import { choose, onPage, playsOn, test } from "./page.ts";

test("where sessions take a token the page has one, and another for its next session", async ({
  withPages,
}) => {
  const file = join(temporaryFolder(), "session.key");
  writeFileSync(file, "k".repeat(32));
  await withPages(
    async (running) => {
      await onPage(running, "/?scheme=nuwa&muted=1&autoplay=1", async (page) => {
        await page.waitForFunction("nuwaStream.snapshot().path?.kind === 'webtransport'");
        await choose(page, "scheme", "cubic");
        await playsOn(page, 2);
        await page.waitForFunction("nuwaStream.snapshot().path?.kind === 'webtransport'");
      });
      const asked = await fetch(`${running.product.address}/api/config`);
      expect(await asked.json()).toMatchObject({
        transport: { sessionToken: expect.stringMatching(/^\d+\./) },
      });
    },
    { serverArgs: ["--session-key", file, "--workers", "2"] },
  );
});
