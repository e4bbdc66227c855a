import type { Fault } from "../fault.ts";

/** The browser stops the page's scripts, as it does with tabs that were forgotten. */
export const pageFrozen: Fault = {
  name: "page-frozen",
  title: "page frozen 10 s",
  strike: async (_rig, { page }) => setState(page, "frozen"),
  lastsSeconds: 10,
  withholds: "the page",
  heal: async (_rig, { page }) => {
    await setState(page, "active");
    await page.evaluate("document.querySelector('video').play()"); // freezing paused it; the viewer is back
  },
  watchSeconds: 16,
  expectedProblems: [],
};

async function setState(
  page: Parameters<NonNullable<Fault["strike"]>>[1]["page"],
  state: "frozen" | "active",
) {
  const session = await page.createCDPSession();
  await session.send("Page.setWebLifecycleState", { state });
  await session.detach();
}
