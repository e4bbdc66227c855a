import { join } from "node:path";
import { ownNames } from "../addresses.ts";
import { Problem } from "../problem.mjs";
import type { CertificateFiles } from "../tls/certificate-pair.ts";
import { collectOutput } from "./children.ts";
import { BUILD, ROOT, VENV_PYTHON } from "./paths.ts";

/** Bounds a hang only. */
const LIMIT_MS = 60_000;

/** The self-signed certificate for pages on this machine; the same each time, since people have told browsers to trust it. */
export async function ownCertificate(signal: AbortSignal): Promise<CertificateFiles> {
  const folder = join(BUILD, "https");
  const names = ownNames().flatMap((name) => ["--name", name]);
  const { code, stderr } = await collectOutput(
    [VENV_PYTHON, "-m", "transport", "certificate", folder, ...names],
    { cwd: ROOT, signal, timeoutMs: LIMIT_MS },
  );
  if (code !== 0)
    throw new Problem(`no certificate could be made: ${stderr.trim()}: see that ${folder} can be written`, {
      exitCode: 1,
    });
  return { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
}
