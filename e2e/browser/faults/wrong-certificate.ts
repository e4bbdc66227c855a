import { BEGINS_OVER_HTTP, type Fault } from "../fault-rig/fault.ts";

/** SHA-256 of no certificate. */
const WRONG_HASH = Buffer.alloc(32, 7).toString("base64");

/** Runs in the page before anything of its own: whoever asks for the configuration gets the wrong hash. */
const CHANGE_CONFIGURATION = `
  const asItIs = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    const response = await asItIs(...request);
    if (new URL(response.url).pathname !== "/api/config") return response;
    const config = await response.json();
    if (config.transport !== null) config.transport.certificateHashes = ["${WRONG_HASH}"];
    return Response.json(config);
  };
`;

/** The announced hash is that of no certificate. */
export const wrongCertificate: Fault = {
  name: "wrong-certificate",
  title: "wrong certificate hash",
  prepareBlankPage: async (page) => {
    await page.evaluateOnNewDocument(CHANGE_CONFIGURATION);
  },
  watchSeconds: 9,
  expected: BEGINS_OVER_HTTP,
};
