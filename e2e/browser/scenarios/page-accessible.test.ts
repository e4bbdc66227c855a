import { expect, test } from "vitest";
import { graveViolations } from "./axe.ts";
import { onPage, withPages } from "./page.ts";

const PATHS = ["/", "/compare.html"];

test("axe finds nothing serious on either page, by day and by night, on a phone and on a laptop", async (context) => {
  const found: string[] = [];
  await withPages(context, async (running) => {
    for (const path of PATHS) {
      await onPage(running, path, async (page) => {
        await page.waitForSelector("#charts canvas");
        found.push(...(await graveViolations(page)).map((what) => `${path}, ${what}`));
      });
    }
  });
  expect(found).toEqual([]);
});
