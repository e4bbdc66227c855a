import { BEGINS_OVER_HTTP, type Fault } from "../fault-rig/fault.ts";

export const noWebTransport: Fault = {
  name: "no-webtransport",
  title: "a browser without WebTransport",
  prepareBlankPage: async (page) => {
    await page.evaluateOnNewDocument("delete globalThis.WebTransport");
  },
  watchSeconds: 6,
  expected: { ...BEGINS_OVER_HTTP, notice: /WebTransport/, consoleProblems: [] },
};
