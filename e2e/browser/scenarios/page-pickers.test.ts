import type { Page } from "puppeteer";
import { expect, test } from "vitest";
import type { RunningProduct } from "../product/with-page.ts";
import { onPage, playsOn, withPages } from "./page.ts";

const PICKERS = ["scheme", "preset", "rule", "estimator"];
/** Between two looks at what the page says. */
const LOOK_MS = 20;

interface Said {
  readonly notices: string[];
  readonly paths: string[];
}

test("every choice can be taken while the film plays", async (context) => {
  const pickAll = async (running: RunningProduct): Promise<void> => {
    await onPage(running, "/", async (page) => {
      await writeDownWhatIsSaid(page);
      for (const picker of PICKERS) {
        for (const value of await otherValues(page, picker)) {
          await page.select(`#${picker}`, value);
          await playsOn(page, 0.5);
        }
      }
      const { notices, paths } = await page.evaluate(() => (globalThis as unknown as { said: Said }).said);
      expect(notices, "a change is no trouble").toEqual([]);
      expect(paths, "nor a fallback").not.toContain("http");
    });
  };
  await withPages(context, pickAll);
});

/** Every notice and every way of the segments from here on, however short. */
async function writeDownWhatIsSaid(page: Page): Promise<void> {
  await page.evaluate((intervalMs) => {
    const said: Said = { notices: [], paths: [] };
    Object.assign(globalThis, { said });
    const { nuwaStream } = globalThis as unknown as {
      nuwaStream: { snapshot(): { notice: string | null; path: { kind: string } | null } };
    };
    setInterval(() => {
      const { notice, path } = nuwaStream.snapshot();
      if (notice !== null) said.notices.push(notice);
      if (path !== null && path.kind !== said.paths.at(-1)) said.paths.push(path.kind);
    }, intervalMs);
  }, LOOK_MS);
}

/** The first one last, so that the next picker is tried with the defaults. */
async function otherValues(page: Page, picker: string): Promise<string[]> {
  const values = await page.$$eval(`#${picker} option`, (options) => options.map(({ value }) => value));
  return [...values.slice(1), ...values.slice(0, 1)];
}
