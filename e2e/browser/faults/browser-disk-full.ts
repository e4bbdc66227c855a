import type { Fault } from "../fault-rig/fault.ts";

/** Not even the database that is there may grow. */
const QUOTA_BYTES = 1;

/** The browser may store nothing more: telemetry that is unsent lives in the page's memory alone. */
export const browserDiskFull: Fault = {
  name: "browser-disk-full",
  title: "disk full in the browser",
  prepareBlankPage: async (page) => {
    const session = await page.createCDPSession();
    page.once("domcontentloaded", () => {
      const { origin } = new URL(page.url());
      void session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: QUOTA_BYTES });
    });
  },
  watchSeconds: 8,
  expected: {
    stalledSeconds: 0,
    firstFrameSeconds: 4,
    endPath: "webtransport",
    httpSegments: "none",
    consoleProblems: [],
  },
};
