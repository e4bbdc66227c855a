import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { temporaryFolder } from "../sample-app.ts";
import { makeCertificate } from "../testdata/make-certificate.ts";
import { readPair } from "../tls/certificate-pair.ts";

const HEALTH_CHECK = fileURLToPath(new URL("healthcheck.mjs", import.meta.url));

/** A web server that answers everything with this status. */
async function serverWith({ host = "127.0.0.1", status = 200, isTls = false }) {
  const pair = isTls ? readPair(makeCertificate(temporaryFolder())) : null;
  const server = await listen(
    (_request, response) => response.writeHead(status).end(),
    { host, port: 0 },
    HTTP_LIMITS,
    pair,
  );
  onTestFinished(() => server.close());
  return String(server.port);
}

/** @returns exit status, and what was written */
function check(environment: Record<string, string>): Promise<[number, string]> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [HEALTH_CHECK], { env: environment }, (_error, _out, said) =>
      resolve([child.exitCode ?? -1, said]),
    );
  });
}

test.each([
  ["plain HTTP", {}, {}],
  ["variables that say nothing", {}, { NUWA_HOST: "", NUWA_HTTPS: "", NUWA_CERTIFICATE: "" }],
  ["HTTPS that is off", {}, { NUWA_HTTPS: "0" }],
  ["HTTPS", { isTls: true }, { NUWA_HTTPS: "1" }],
  ["a certificate", { isTls: true }, { NUWA_CERTIFICATE: "/c.pem" }],
  ["every address", { host: "0.0.0.0" }, { NUWA_HOST: "0.0.0.0" }],
  ["every address, spelled otherwise", {}, { NUWA_HOST: "::0" }],
])("with %s the server is found to be well", async (_what, server, environment) => {
  expect(await check({ ...environment, NUWA_PORT: await serverWith(server) })).toEqual([0, ""]);
});

// macOS has to be told of the address first
test.skipIf(process.platform === "darwin")("a server on one address is asked there", async () => {
  const host = "127.0.0.2";
  expect(await check({ NUWA_HOST: host, NUWA_PORT: await serverWith({ host }) })).toEqual([0, ""]);
});

test("one that says 503 is not well", async () => {
  expect(await check({ NUWA_PORT: await serverWith({ status: 503 }) })).toEqual([1, ""]);
});

test("a flag that is none is told", async () => {
  const port = await serverWith({});
  expect(await check({ NUWA_PORT: port, NUWA_HTTPS: "yes" })).toEqual([
    2,
    'nuwa-stream: NUWA_HTTPS is "yes": write 1 or 0\n',
  ]);
});
