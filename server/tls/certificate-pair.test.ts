import fs, { appendFileSync, copyFileSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { get } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { HTTP_LIMITS, listen } from "../http-server.ts";
import { createLog } from "../log.ts";
import { Problem } from "../problem.mjs";
import { temporaryFolder } from "../sample-app.ts";
import { makeCertificate } from "../testdata/make-certificate.ts";
import { type CertificateFiles, readPair } from "./certificate-pair.ts";
import { CertificateRenewal } from "./renewal.ts";

const YEAR_MS = 365 * 86_400_000;

function refusal(files: CertificateFiles, nowMs?: number): string {
  try {
    readPair(files, nowMs);
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
  return "none";
}

test("what is no pair is told in one sentence, before anything starts", () => {
  const folder = temporaryFolder();
  const files = makeCertificate(folder, "Demo.example", "192.0.2.7", "2001:db8::7");
  const other = makeCertificate(join(folder, "other"));
  expect(readPair(files).names).toEqual(["localhost", "demo.example", "192.0.2.7", "[2001:db8::7]"]);
  expect(refusal({ ...files, key: other.key })).toBe(
    `the certificate ${files.certificate} does not match the key ${other.key}: give the two of one issue`,
  );
  expect(refusal({ ...files, key: "/nowhere" })).toContain("the key /nowhere cannot be read (ENOENT): check");
  expect(refusal({ ...files, certificate: files.key })).toContain("holds no certificate in PEM form: give");
  expect(refusal({ ...files, key: files.certificate })).toContain("holds no private key in PEM form, or a");
  expect(refusal(files, Date.now() + 2 * YEAR_MS)).toContain(" ended on ");
});

/** The serial number of the certificate that a new connection sees, and what it is answered. */
function ask(port: number): Promise<{ serial: string; status: number | undefined }> {
  return new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", rejectUnauthorized: false, agent: false }, (response) => {
      const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
      response.resume().on("end", () => resolve({ serial: serialNumber, status: response.statusCode }));
    }).on("error", reject);
  });
}

test("a renewed certificate is for new connections, and files that do not match yet change nothing", async () => {
  const folder = temporaryFolder();
  const files = makeCertificate(folder);
  const renewed = makeCertificate(join(folder, "renewed"));
  const address = { host: "127.0.0.1", port: 0 };
  const server = await listen(
    (_request, response) => response.end("page"),
    address,
    HTTP_LIMITS,
    readPair(files),
  );
  onTestFinished(() => server.close());
  const lines: string[] = [];
  const log = createLog("warn", (line) => lines.push(line));
  const renewal = new CertificateRenewal({ files, onRenewed: server.useCertificate, log });
  onTestFinished(() => renewal.stop());
  const first = await ask(server.port);
  expect(first.status).toBe(200);
  copyFileSync(renewed.certificate, files.certificate);
  renewal.check();
  renewal.check();
  expect(lines.filter((line) => line.includes("the former certificate stays in use: "))).toHaveLength(1);
  expect(await ask(server.port)).toEqual(first);
  copyFileSync(renewed.key, files.key);
  renewal.check();
  expect((await ask(server.port)).serial).not.toBe(first.serial);
});

/** A renewal of these files, and what it has said and done. */
function watched(files: CertificateFiles) {
  const lines: string[] = [];
  let renewedCount = 0;
  const onRenewed = () => {
    renewedCount += 1;
  };
  const renewal = new CertificateRenewal({
    files,
    onRenewed,
    log: createLog("warn", (line) => lines.push(line)),
  });
  onTestFinished(() => renewal.stop());
  return { renewal, lines, renewedCount: () => renewedCount };
}

test("a chain whose second certificate is half written is waited for", () => {
  const files = makeCertificate(temporaryFolder());
  const chain = readFileSync(files.certificate, "utf8").repeat(2);
  const { renewal, lines, renewedCount } = watched(files);
  appendFileSync(files.certificate, chain.slice(0, chain.length * 0.7));
  renewal.check();
  expect(lines.join()).toContain(`the certificates in ${files.certificate} are no chain for TLS (ERR_OSSL_`);
  expect(renewedCount()).toBe(0);
  appendFileSync(files.certificate, chain.slice(chain.length * 0.7));
  renewal.check();
  expect(renewedCount()).toBe(1);
});

test("files that cannot be looked at are waited for", () => {
  const files = makeCertificate(temporaryFolder());
  const { renewal, lines, renewedCount } = watched(files);
  rmSync(files.key);
  symlinkSync(files.key, files.key); // root may look at everything, but not at this
  renewal.check();
  expect(lines.join()).toContain(`the key ${files.key} cannot be read (ELOOP)`);
  expect(renewedCount()).toBe(0);
});

/** Until it is given, root itself may not read the file. @returns gives it */
function takeRightsOf(path: string): () => void {
  const { readFileSync: readAnyway } = fs;
  const denied = Object.assign(new Error("EACCES"), { code: "EACCES" });
  const read = vi.spyOn(fs, "readFileSync").mockImplementation((...given) => {
    if (given[0] === path) throw denied;
    return readAnyway(...given);
  });
  const give = () => {
    read.mockRestore();
    syncBuiltinESMExports();
  };
  onTestFinished(give);
  syncBuiltinESMExports();
  return give;
}

test("a new key that may be read only later is read then, though its time stays", () => {
  const folder = temporaryFolder();
  const files = makeCertificate(folder);
  const renewed = makeCertificate(join(folder, "renewed"));
  const { renewal, lines, renewedCount } = watched(files);
  copyFileSync(renewed.certificate, files.certificate);
  copyFileSync(renewed.key, files.key);
  const give = takeRightsOf(files.key);
  renewal.check();
  renewal.check();
  expect(lines.filter((line) => line.includes(`the key ${files.key} cannot be read (EACCES)`))).toHaveLength(
    1,
  );
  give();
  renewal.check();
  expect(renewedCount()).toBe(1);
});

test("a connection of HTTPS that is being answered does not owe a request", async () => {
  const folder = temporaryFolder();
  const pair = readPair(makeCertificate(folder));
  const limits = { ...HTTP_LIMITS, maxConnections: 2 };
  let answer = () => undefined as unknown;
  let arrive = () => undefined as unknown;
  const arrived = new Promise((resolve) => {
    arrive = () => resolve(null);
  });
  const server = await listen(
    (request, response) => {
      if (request.url !== "/slow") return void response.end("page");
      answer = () => response.end("page");
      arrive();
    },
    { host: "127.0.0.1", port: 0 },
    limits,
    pair,
  );
  onTestFinished(() => server.close());
  const slow = new Promise<number | undefined>((resolve, reject) => {
    const options = {
      port: server.port,
      host: "127.0.0.1",
      path: "/slow",
      rejectUnauthorized: false,
      agent: false,
    };
    get(options, (response) => response.resume().on("end", () => resolve(response.statusCode))).on(
      "error",
      reject,
    );
  });
  await arrived;
  const idle = await Promise.all([idler(server.port), idler(server.port)]);
  expect(idle).toHaveLength(2);
  answer();
  expect(await slow).toBe(200);
});

/** A connection that says nothing. */
async function idler(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve));
}

test("closing waits for nobody who does not speak TLS to the end", async () => {
  const pair = readPair(makeCertificate(temporaryFolder()));
  const limits = { ...HTTP_LIMITS, headersTimeoutMs: 600_000, requestTimeoutMs: 600_000 };
  const server = await listen(
    (_request, response) => response.end("film"),
    { host: "127.0.0.1", port: 0 },
    limits,
    pair,
  );
  const silent = connect(server.port, "127.0.0.1");
  const ended = new Promise((resolve) => silent.once("close", resolve));
  // connections are accepted in their order
  await new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port: server.port, rejectUnauthorized: false }, resolve).on("error", reject);
  });
  await server.close();
  await ended;
});
