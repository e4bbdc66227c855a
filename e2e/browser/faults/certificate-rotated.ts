import { type Fault, UNTOUCHED } from "../fault-rig/fault.ts";
import { openWatched } from "../fault-rig/rig.ts";

/** Sessions go on; who comes later gets the new hash. */
export const certificateRotated: Fault = {
  name: "certificate-rotated",
  title: "certificate replaced during the film",
  strike: ({ product }) => product.rotateCertificate(),
  lastsSeconds: [1, 5],
  heal: async (rig) => {
    const { page } = await openWatched(rig, { transport: "webtransport" });
    await page.waitForFunction("globalThis.nuwaStream?.snapshot().path?.kind === 'webtransport'");
    await page.close();
  },
  watchSeconds: 6,
  expected: UNTOUCHED,
};
