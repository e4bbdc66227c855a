import type { Page } from "puppeteer";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** The browser stops the scripts of a page in the background, as it does with tabs that were forgotten. */
export const pageFrozen: Fault = {
  name: "page-frozen",
  title: "page frozen",
  isByCommand: true,
  strike: async ({ browser }, { page }) => {
    const other = await browser.newPage();
    await other.bringToFront();
    await setState(page, "frozen");
  },
  lastsSeconds: [5, 12],
  withholds: "the page",
  heal: async (_rig, { page }) => {
    await setState(page, "active");
    await page.bringToFront();
    await page.evaluate("document.querySelector('video').play()"); // freezing paused it; the viewer is back
  },
  watchSeconds: 6,
  expected: GOES_ON,
};

async function setState(page: Page, state: "frozen" | "active"): Promise<void> {
  const session = await page.createCDPSession();
  await session.send("Page.setWebLifecycleState", { state });
  await session.detach();
}
