import { expect } from "vitest";
import { openPage } from "../browsers/browser.ts";
import { graveViolations } from "./axe.ts";
import { onPage, test } from "./page.ts";

const PATHS = ["/", "/compare.html"];

test("axe finds nothing serious on either page, by day and by night, on a phone and on a laptop", async ({
  withPages,
}) => {
  const found: string[] = [];
  await withPages(async (running) => {
    for (const path of PATHS) {
      await onPage(running, path, async (page) => {
        await page.waitForSelector("#charts canvas");
        found.push(...(await graveViolations(page)).map((what) => `${path}, ${what}`));
      });
    }
  });
  expect(found).toEqual([]);
});

test("nor in what is shown of an address that is refused", async ({ withPages }) => {
  await withPages(async ({ browser, product }) => {
    const { page } = await openPage(browser, `${product.address}/deep/none.html`);
    expect(await page.title()).toBe("404 Not Found: nuwa-stream");
    await page.waitForFunction("getComputedStyle(document.body).margin === '0px'"); // its style has come
    expect(await graveViolations(page)).toEqual([]);
  });
});
