import { test } from "vitest";
import { onPage, withPages } from "./page.ts";

const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

test("a window that is made narrow holds either page without scrolling sideways", async (context) => {
  await withPages(context, async (running) => {
    for (const path of ["/", "/compare.html"]) {
      await onPage(running, path, async (page) => {
        await page.setViewport(LAPTOP);
        await page.waitForSelector("#charts canvas");
        await page.setViewport(PHONE);
        await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
      });
    }
  });
});
