import type { Page } from "puppeteer";
import { test } from "vitest";
import { onPage, playsOn, withPages } from "./page.ts";

const PICKERS = ["scheme", "preset", "rule", "estimator"];

test("every choice can be taken while the film plays", async (context) => {
  await withPages(context, async (running) => {
    await onPage(running, "/", async (page) => {
      for (const picker of PICKERS) {
        for (const value of await otherValues(page, picker)) {
          await page.select(`#${picker}`, value);
          await playsOn(page, 0.5);
        }
      }
    });
  });
});

/** The first one last, so that the next picker is tried with the defaults. */
async function otherValues(page: Page, picker: string): Promise<string[]> {
  const values = await page.$$eval(`#${picker} option`, (options) => options.map(({ value }) => value));
  return [...values.slice(1), ...values.slice(0, 1)];
}
