import { AxePuppeteer } from "@axe-core/puppeteer";
import type { Page } from "puppeteer";
import { expect, test } from "vitest";
import { onPage, withPages } from "./page.ts";

const PATHS = ["/", "/compare.html"];
const SCREENS = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } } as const;
const COLOURS = ["light", "dark"] as const;
const GRAVE = ["serious", "critical"];

test("axe finds nothing serious on either page, by day and by night, on a phone and on a laptop", async (context) => {
  const found: string[] = [];
  await withPages(context, async (running) => {
    for (const path of PATHS) {
      await onPage(running, path, async (page) => {
        await page.waitForSelector("#charts canvas");
        for (const [screen, viewport] of Object.entries(SCREENS)) {
          for (const colours of COLOURS) {
            await page.setViewport(viewport);
            await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: colours }]);
            found.push(
              ...(await graveViolations(page)).map((what) => `${path}, ${screen}, ${colours}: ${what}`),
            );
          }
        }
      });
    }
  });
  expect(found).toEqual([]);
});

async function graveViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxePuppeteer(page).analyze();
  return violations
    .filter(({ impact }) => GRAVE.includes(impact ?? ""))
    .map(
      ({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
}
