import { setTimeout as pause } from "node:timers/promises";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** The viewer goes elsewhere and comes back: the browser keeps the page meanwhile, or asks for it anew. */
export const pageInCache: Fault = {
  name: "page-in-cache",
  title: "the viewer goes elsewhere and comes back",
  isByCommand: true,
  withholds: "the page",
  strike: async ({ chance }, { page }) => {
    await page.goto("about:blank");
    await pause(1000 * chance.between([2, 8]));
    await page.goBack({ waitUntil: "domcontentloaded" });
    await page.waitForFunction("globalThis.nuwaPlaybackProbe?.firstFrameAtMs != null");
    await page.evaluate("document.querySelector('video').play()");
  },
  watchSeconds: 8,
  expected: { ...GOES_ON, bytesAfterSeconds: 6 },
};
