import { expect } from "vitest";
import { choose, onPage, playsOn, test } from "./page.ts";

const OPENED = "nuwaStream.snapshot().path?.kind === 'webtransport'";

test.skipIf(process.platform !== "linux")(
  "over one UDP port for three workers a film plays on, whichever its sessions come to",
  async ({ withPages }) => {
    await withPages(
      async (running) => {
        const asked = await fetch(`${running.product.address}/api/config`);
        const { transport } = (await asked.json()) as {
          transport: { certificateHashes: string[]; workers: [] };
        };
        expect(transport.workers).toHaveLength(1);
        expect(new Set(transport.certificateHashes).size).toBe(3);
        await onPage(running, "/?scheme=nuwa&muted=1&autoplay=1", async (page) => {
          await page.waitForFunction(OPENED);
          for (const scheme of ["cubic", "kuafu", "bbr"]) {
            await choose(page, "scheme", scheme);
            await playsOn(page, 1);
            await page.waitForFunction(OPENED);
          }
        });
      },
      { serverArgs: ["--workers", "3", "--shared-port"] },
    );
  },
);
