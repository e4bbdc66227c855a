// Asks the web server of this machine whether all is well: exit status 0 if it says so. For a container, whose options are
// variables. It may have a certificate of its own, or one for another name: that is not what is asked.
import http from "node:http";
import https from "node:https";
import { Problem } from "../problem.mjs";
import { readFlag } from "../setup/flag.mjs";

/** On each of which 127.0.0.1 is answered, too; as URLs spell them. */
const EVERY_ADDRESS = ["0.0.0.0", "[::]"];

const { NUWA_HOST = "", NUWA_PORT, NUWA_HTTPS, NUWA_CERTIFICATE } = process.env;
const host = NUWA_HOST === "" || EVERY_ADDRESS.includes(spelled(NUWA_HOST)) ? "127.0.0.1" : NUWA_HOST;
const options = { host, port: NUWA_PORT || "8080", path: "/healthz", timeout: 4000 };
const request = speaksTls() ? https.get({ ...options, rejectUnauthorized: false }) : http.get(options);
request.on("response", ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
request.on("timeout", () => process.exit(1));
request.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

/** @param {string} address */
function spelled(address) {
  const url = `http://${address.includes(":") ? `[${address}]` : address}`;
  return URL.canParse(url) ? new URL(url).hostname : address;
}

function speaksTls() {
  try {
    return Boolean(NUWA_CERTIFICATE) || (Boolean(NUWA_HTTPS) && readFlag(NUWA_HTTPS ?? "", "NUWA_HTTPS"));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.end();
  }
}
