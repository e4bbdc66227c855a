import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CertificateFiles } from "../../../server/tls/certificate-pair.ts";

/** Chromium's argument by which it takes this key's certificate as a person does who has told it to trust it. */
export function trusting({ certificate }: Pick<CertificateFiles, "certificate">): string {
  const { publicKey } = new X509Certificate(readFileSync(certificate));
  const key = publicKey.export({ type: "spki", format: "der" });
  return `--ignore-certificate-errors-spki-list=${createHash("sha256").update(key).digest("base64")}`;
}
