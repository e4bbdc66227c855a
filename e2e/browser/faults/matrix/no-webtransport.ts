import type { Fault } from "../fault.ts";

export const noWebTransport: Fault = {
  name: "no-webtransport",
  title: "a browser without WebTransport",
  prepareBlankPage: async (page) => {
    await page.evaluateOnNewDocument("delete globalThis.WebTransport");
  },
  watchSeconds: 6,
  expectedProblems: [],
};
