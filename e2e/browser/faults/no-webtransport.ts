import type { Fault } from "../fault-rig/fault.ts";

export const noWebTransport: Fault = {
  name: "no-webtransport",
  title: "a browser without WebTransport",
  prepareBlankPage: async (page) => {
    await page.evaluateOnNewDocument("delete globalThis.WebTransport");
  },
  watchSeconds: 6,
  expected: {
    stalledSeconds: 0,
    firstFrameSeconds: 4,
    endPath: "http",
    httpSegments: "some",
    notice: /WebTransport/,
    consoleProblems: [],
  },
};
