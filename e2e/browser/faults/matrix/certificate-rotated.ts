import type { Fault } from "../fault.ts";
import { openWatched } from "../rig.ts";

/** Sessions go on; who comes later is told of the new certificate. */
export const certificateRotated: Fault = {
  name: "certificate-rotated",
  title: "certificate replaced during the film",
  strike: ({ product }) => product.rotateCertificate(),
  lastsSeconds: 3,
  heal: async (rig) => {
    const { page } = await openWatched(rig, { transport: "webtransport" });
    await page.waitForFunction("globalThis.nuwaStream?.snapshot().path?.kind === 'webtransport'");
    await page.close();
  },
  watchSeconds: 12,
  expectedProblems: [],
};
