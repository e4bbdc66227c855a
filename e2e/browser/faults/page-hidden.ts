import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** Another tab lies over the page: its timers run once a second at most. */
export const pageHidden: Fault = {
  name: "page-hidden",
  title: "tab hidden",
  strike: async ({ browser }) => {
    const other = await browser.newPage();
    await other.bringToFront();
  },
  lastsSeconds: [5, 12],
  heal: async (_rig, { page }) => page.bringToFront(),
  watchSeconds: 3,
  expected: { ...GOES_ON, httpSegments: "none" },
};
