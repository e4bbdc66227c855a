import type { Fault } from "../fault.ts";
import { FAILED_SESSION } from "./expected-problems.ts";

/** SHA-256 of no certificate. */
const WRONG_HASH = Buffer.alloc(32, 7).toString("base64");

/** Runs in the page before anything of its own: whoever asks for the configuration hears the wrong hash. */
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

/** The page is told the hash of a certificate that the transport does not have. */
export const wrongCertificate: Fault = {
  name: "wrong-certificate",
  title: "wrong certificate hash",
  prepareBlankPage: async (page) => {
    await page.evaluateOnNewDocument(CHANGE_CONFIGURATION);
  },
  watchSeconds: 12,
  expectedProblems: [FAILED_SESSION],
};
