import { AxePuppeteer } from "@axe-core/puppeteer";
import type { Page } from "puppeteer";

const SCREENS = { laptop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const COLOURS = ["light", "dark"] as const;
const GRAVE = ["serious", "critical"];

/** What axe calls serious or critical in a page, on a phone and on a laptop, by day and by night. */
export async function graveViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colours of COLOURS) {
      await page.setViewport(viewport);
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: colours }]);
      found.push(...(await graveHere(page)).map((what) => `${screen}, ${colours}: ${what}`));
    }
  }
  return found;
}

async function graveHere(page: Page): Promise<string[]> {
  const { violations } = await new AxePuppeteer(page).analyze();
  return violations
    .filter(({ impact }) => GRAVE.includes(impact ?? ""))
    .map(
      ({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
}
