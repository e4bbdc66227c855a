import { BEGINS, type Fault } from "../fault-rig/fault.ts";

/** Not even the database that is there may grow. */
const QUOTA_BYTES = 1;

/** What becomes of a kilobyte in the page's storage. */
const WRITE = `new Promise((resolve) => {
  const opening = indexedDB.open("of-the-fault", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("store");
  opening.onerror = () => resolve(opening.error.name);
  opening.onsuccess = () => {
    const writing = opening.result.transaction("store", "readwrite");
    writing.objectStore("store").put("x".repeat(1000), "key");
    writing.oncomplete = () => resolve("written");
    writing.onabort = () => resolve(writing.error.name);
  };
})`;

/** The browser may store nothing more: telemetry that is unsent lives in the page's memory alone. */
export const browserDiskFull: Fault = {
  name: "browser-disk-full",
  title: "disk full in the browser",
  prepareBlankPage: async (page, origin) => {
    const session = await page.createCDPSession();
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: QUOTA_BYTES });
  },
  lastsSeconds: [0, 2],
  heal: async (_rig, { page }) => {
    const answer = await page.evaluate(WRITE);
    if (answer !== "QuotaExceededError") throw new Error(`the browser's disk is not full: it says ${answer}`);
  },
  watchSeconds: 8,
  expected: BEGINS,
};
