import type { Page } from "puppeteer";
import { expect } from "vitest";
import { openPage } from "../browsers/browser.ts";
import { onPage, test } from "./page.ts";
import { hardToPress, largeText } from "./sizes.ts";

const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const DIALOGS = ["download", "keys", "scheme-search"];
/** Twice our own size, which is less than the usual one. */
const TWICE = { textPixels: "30px", tooWide: [] };

test("a narrow window holds either page, for fingers and for large text, without scrolling sideways", async ({
  withPages,
}) => {
  await withPages(async (running) => {
    for (const path of ["/", "/compare.html"]) {
      await onPage(running, path, async (page) => {
        await page.setViewport(LAPTOP);
        await page.waitForSelector("#charts canvas");
        await page.setViewport(PHONE);
        await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
        await page.waitForSelector("#keys:enabled"); // so are the others then
        for (const id of DIALOGS) await dialogHasRoom(page, id);
        expect(await hardToPress(page)).toEqual([]);
        expect(await largeText(page)).toEqual(TWICE);
      });
    }
    const { page } = await openPage(running.browser, `${running.product.address}/bulk.html?bytes=100000`);
    expect(await largeText(page)).toEqual(TWICE);
  });
});

async function dialogHasRoom(page: Page, id: string): Promise<void> {
  const button = await page.$(`#${id}`);
  if (button === null) return; // no schemes are searched side by side
  await page.evaluate((opens) => (opens as HTMLElement).click(), button);
  await page.waitForSelector("dialog[open] button");
  // of a list that scrolls, what is out of sight lies below other things
  if (id !== "scheme-search") expect(await hardToPress(page)).toEqual([]);
  expect(await largeText(page)).toEqual(TWICE);
  await page.keyboard.press("Escape");
}
