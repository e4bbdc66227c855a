import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CertificateFiles } from "../../../server/tls/certificate-pair.ts";
import { ROOT } from "../environment.ts";
import { Child } from "../process/child.ts";
import type { TwoMachines } from "./two-machines.ts";

export const PUBLIC_NAME = "demo.example";

/** A proxy with TLS in front of the page's server. */
export type FrontServer = "nginx" | "caddy";

/**
 * Starts it from the sample configuration of `server/deploy`, word by word but for the certificate, which nobody issues for
 * a name that is an example.
 */
export async function startFrontServer(
  kind: FrontServer,
  { machines, folder, files }: { machines: TwoMachines; folder: string; files: CertificateFiles },
): Promise<Child> {
  const place = machines.on("server");
  const command = kind === "nginx" ? await nginx(folder, files) : await caddy(folder, files);
  // ends with its standard input, as nothing here outlives us
  const [program = "", ...args] = [...place, "sh", "-c", `${command} & pid=$!; cat; kill $pid; wait $pid`];
  return Child.start({ name: kind, command: program, args });
}

async function nginx(folder: string, { certificate, key }: CertificateFiles): Promise<string> {
  const sample = await readFile(join(ROOT, "server", "deploy", "nginx.conf"), "utf8");
  const site = sample
    .replace("/etc/letsencrypt/live/demo.example/fullchain.pem", certificate)
    .replace("/etc/letsencrypt/live/demo.example/privkey.pem", key);
  await writeFile(join(folder, "site.conf"), site);
  await mkdir(join(folder, "logs"), { recursive: true });
  const main = [
    // as root, since its workers keep what a slow client has not read yet in our folder
    `user root; daemon off; pid ${folder}/nginx.pid; error_log stderr warn;`,
    `events {} http { access_log off; include ${folder}/site.conf;`,
    ...["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    ),
    "}",
  ];
  await writeFile(join(folder, "nginx.conf"), main.join("\n"));
  return `nginx -p ${folder} -c ${folder}/nginx.conf`;
}

async function caddy(folder: string, { certificate, key }: CertificateFiles): Promise<string> {
  const sample = await readFile(join(ROOT, "server", "deploy", "Caddyfile"), "utf8");
  const site = sample.replace("\treverse_proxy", `\ttls ${certificate} ${key}\n\treverse_proxy`);
  await writeFile(join(folder, "Caddyfile"), `{\n\tadmin off\n}\n${site}`);
  return `env XDG_DATA_HOME=${folder} XDG_CONFIG_HOME=${folder} caddy run --adapter caddyfile --config ${folder}/Caddyfile`;
}
