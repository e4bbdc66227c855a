// Asks the web server of this machine whether all is well: exit status 0 if it says so. For a container, whose options are
// variables. It may have a certificate of its own, or one for another name: that is not what is asked.
import http from "node:http";
import https from "node:https";

const { NUWA_PORT = "8080", NUWA_HTTPS = "", NUWA_CERTIFICATE = "" } = process.env;
const isPlain = [NUWA_HTTPS, NUWA_CERTIFICATE].every((value) => value === "");
const options = { host: "127.0.0.1", port: NUWA_PORT, path: "/healthz", timeout: 4000 };
const request = isPlain ? http.get(options) : https.get({ ...options, rejectUnauthorized: false });
request.on("response", ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
request.on("timeout", () => process.exit(1));
request.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
