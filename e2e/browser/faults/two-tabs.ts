import { type Fault, UNTOUCHED } from "../fault-rig/fault.ts";
import { openWatched } from "../fault-rig/rig.ts";

/** A second tab plays the same film over the first, and is closed: they share server, storage and the browser's network. */
export const twoTabs: Fault = {
  name: "two-tabs",
  title: "the same film in a second tab",
  strike: async (rig) => {
    const { page, problems } = await openWatched(rig, { transport: "webtransport" });
    await page.waitForFunction("document.querySelector('video')?.currentTime > 2");
    await page.close();
    if (problems.length > 0) throw new Error(`the second tab: ${problems.join("; ")}`);
  },
  watchSeconds: 6,
  expected: UNTOUCHED,
};
