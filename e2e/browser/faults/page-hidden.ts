import type { Fault } from "../fault-rig/fault.ts";

/** Another tab lies over the page: its timers run once a second at most. */
export const pageHidden: Fault = {
  name: "page-hidden",
  title: "tab hidden 10 s",
  strike: async ({ browser }) => {
    const other = await browser.newPage();
    await other.bringToFront();
  },
  lastsSeconds: 10,
  heal: async (_rig, { page }) => page.bringToFront(),
  watchSeconds: 13,
  expected: {
    stalledSeconds: 0,
    bytesAfterSeconds: 3,
    endPath: "webtransport",
    httpSegments: "none",
    consoleProblems: [],
  },
};
