import { hostname } from "node:os";
import { join } from "node:path";
import { ownNames } from "../addresses.ts";
import { Problem } from "../problem.mjs";
import { parseMessage } from "../service-process.ts";
import type { CertificateFiles } from "../tls/certificate-pair.ts";
import { collectOutput } from "./children.ts";
import { BUILD, ROOT, VENV_PYTHON } from "./paths.ts";

/** Bounds a hang only. */
const LIMIT_MS = 60_000;

const REPLACED = [
  "pages have a new certificate, since the former one lacked the address below or was nearly over:",
  "who trusted that one has to trust this one\n",
].join(" ");

/**
 * The self-signed certificate for pages on this machine; the same each time, since people have told browsers to trust it. It is
 * made anew when it lacks the machine's name or the page's, whatever other addresses come and go.
 *
 * @param page URL at which it is opened
 */
export async function ownCertificate(
  page: string,
  { signal, output }: { signal: AbortSignal; output: { write(text: string): unknown } },
): Promise<CertificateFiles> {
  const folder = join(BUILD, "https");
  const needed = [hostname(), new URL(page).hostname.replace(/^\[(.*)\]$/, "$1")];
  const names = [...each("--name", needed), ...each("--also", ownNames())];
  const { code, stdout, stderr } = await collectOutput(
    [VENV_PYTHON, "-m", "transport", "certificate", folder, ...names],
    { cwd: ROOT, signal, timeoutMs: LIMIT_MS },
  );
  if (code !== 0)
    throw new Problem(`no certificate could be made: ${stderr.trim()}: see that ${folder} can be written`, {
      exitCode: 1,
    });
  if (parseMessage(stdout)?.replaces === true) output.write(REPLACED);
  return { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
}

function each(option: string, names: readonly string[]): string[] {
  return names.flatMap((name) => [option, name]);
}
