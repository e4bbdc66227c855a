import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ROOT, VENV_PYTHON } from "../setup/paths.ts";
import type { CertificateFiles } from "../tls/certificate-pair.ts";

/** For tests: a self-signed certificate for these names, in a folder. */
export function makeCertificate(folder: string, ...names: string[]): CertificateFiles {
  const args = ["-m", "transport", "certificate", folder, ...names.flatMap((name) => ["--name", name])];
  execFileSync(VENV_PYTHON, args, { cwd: ROOT });
  return { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
}
