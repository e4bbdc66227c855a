import type { Page } from "puppeteer";
import { expect } from "vitest";
import { onPage, playsOn, test } from "./page.ts";

interface PageGlobals {
  nuwaStream: { snapshot(): { link: { name: string } | null; path: { kind: string } | null } };
}

test("links can be emulated, changed and taken away while the film plays", async ({ withPages }) => {
  await withPages(async (running) => {
    await onPage(running, "/", async (page) => {
      const names = await page.$$eval("#link option", (options) => options.map(({ value }) => value));
      expect(names[0]).toBe("none");
      for (const name of [...names.slice(1, 3), "none"]) {
        await page.select("#link", name);
        await page.waitForFunction(
          (wanted) =>
            ((globalThis as unknown as PageGlobals).nuwaStream.snapshot().link?.name ?? "none") === wanted,
          {},
          name,
        );
        await playsOn(page, 3);
        await page.waitForFunction("nuwaStream.snapshot().path?.kind === 'webtransport'");
        if (name !== "none") await changesDelayByKeys(page);
      }
    });
  });
});

/** Tab leads to the next field, whatever is disabled while the server is asked. */
async function changesDelayByKeys(page: Page): Promise<void> {
  await page.$eval(".more", (fold) => {
    (fold as HTMLDetailsElement).open = true;
  });
  await page.click("#link-delay", { count: 3 });
  await page.keyboard.type("33");
  await page.keyboard.press("Tab");
  await page.waitForFunction("nuwaStream.snapshot().link?.delayMs === 33");
  await page.waitForFunction("document.activeElement.id === 'link-queue'");
}
