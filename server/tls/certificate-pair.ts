import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { Problem } from "../problem.mjs";

/** Paths of a certificate, its issuers' behind it, and of its key, both in PEM form. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** What TLS is spoken with. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
  /** Hosts that it is for, as URLs write them: names, then addresses. A wildcard names none. */
  readonly names: readonly string[];
  /** ms of the epoch. */
  readonly expiresAtMs: number;
}

/** @throws Problem if they cannot be read, do not belong together, are over, or are no whole chain */
export function readPair(files: CertificateFiles, nowMs = Date.now()): CertificatePair {
  const cert = textOf("certificate", files.certificate);
  const key = textOf("key", files.key);
  const certificate = parse(
    `${files.certificate} holds no certificate in PEM form`,
    () => new X509Certificate(cert),
  );
  const privateKey = parse(`${files.key} holds no private key in PEM form, or a locked one`, () =>
    createPrivateKey(key),
  );
  requireMatch(certificate, privateKey, files);
  const expiresAtMs = Date.parse(certificate.validTo);
  if (expiresAtMs <= nowMs)
    throw new Problem(`the certificate ${files.certificate} ended on ${certificate.validTo}: renew it`);
  requireChain({ cert, key }, files);
  return { cert, key, names: namesIn(certificate), expiresAtMs };
}

function requireMatch(certificate: X509Certificate, key: KeyObject, files: CertificateFiles): void {
  if (certificate.checkPrivateKey(key)) return;
  throw new Problem(
    `the certificate ${files.certificate} does not match the key ${files.key}: give the two of one issue`,
  );
}

/** An issuer's certificate behind the first may still be half written. */
function requireChain(pair: Pick<CertificatePair, "cert" | "key">, { certificate }: CertificateFiles): void {
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new Problem(
      `the certificates in ${certificate} are no chain for TLS (${(error as NodeJS.ErrnoException).code}): give the whole file`,
    );
  }
}

function namesIn({ subjectAltName = "" }: X509Certificate): string[] {
  const entries = subjectAltName.split(", ");
  const behind = (kind: string) =>
    entries.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(kind.length));
  const hosts = [
    ...behind("DNS:").filter((name) => /^[a-z0-9.-]+$/i.test(name)),
    ...behind("IP Address:").map((address) => (address.includes(":") ? `[${address}]` : address)),
  ];
  return hosts
    .filter((host) => URL.canParse(`https://${host}`))
    .map((host) => new URL(`https://${host}`).hostname);
}

function textOf(what: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice = code === "EACCES" ? "its permissions" : `the path given with --${what}`;
    throw new Problem(`the ${what} ${path} cannot be read (${code}): check ${advice}`);
  }
}

/** Whatever OpenSSL says of it tells a user less. */
function parse<T>(sentence: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new Problem(`${sentence}: give a certificate and its key`);
  }
}
