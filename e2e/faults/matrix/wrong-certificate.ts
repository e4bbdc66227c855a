import type { Fault } from "../fault.ts";
import { FAILED_SESSION } from "./expected-problems.ts";

/** SHA-256 of nothing that is served here. */
const WRONG_HASH = Buffer.alloc(32, 7).toString("base64");

/** The page is told the hash of a certificate that the transport does not have. */
export const wrongCertificate: Fault = {
  name: "wrong-certificate",
  title: "wrong certificate hash",
  prepareBlankPage: async (page) => {
    const session = await page.createCDPSession();
    session.on("Fetch.requestPaused", ({ requestId }) => void answer(requestId));
    await session.send("Fetch.enable", {
      patterns: [{ urlPattern: "*/api/config", requestStage: "Response" }],
    });

    async function answer(requestId: string): Promise<void> {
      const { body, base64Encoded } = await session.send("Fetch.getResponseBody", { requestId });
      const text = Buffer.from(body, base64Encoded ? "base64" : "utf8").toString();
      await session.send("Fetch.fulfillRequest", {
        requestId,
        responseCode: 200,
        responseHeaders: [{ name: "content-type", value: "application/json" }],
        body: Buffer.from(withWrongHashes(text)).toString("base64"),
      });
    }
  },
  watchSeconds: 14,
  expectedProblems: [FAILED_SESSION],
};

function withWrongHashes(text: string): string {
  const config = JSON.parse(text) as { transport: { certificateHashes: string[] } | null };
  if (config.transport !== null) config.transport.certificateHashes = [WRONG_HASH];
  return JSON.stringify(config);
}
