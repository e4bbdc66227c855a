import { access, constants, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { installPackages, PackageError } from "./debian.ts";
import { lastWords, runCommand } from "./run-command.ts";

/** mahimahi starts as this user, and only mahimahi: it owns nothing. */
export const ORDINARY_USER = "nuwa-e2e";

const IP_FORWARD = "/proc/sys/net/ipv4/ip_forward";
const TUN = "/dev/net/tun";

export async function isExecutable(path: string) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Sees to what mahimahi needs of the kernel: forwarding and TUN devices. */
export async function prepareKernel() {
  if ((await readFile(IP_FORWARD, "utf8")).trim() !== "1") {
    await writeFile(IP_FORWARD, "1").catch((error: Error) => {
      throw new PackageError(`set ${IP_FORWARD} to 1, which this process may not (${error.message})`);
    });
  }
  if (!(await canOpen(TUN))) {
    await mkdir("/dev/net", { recursive: true });
    await runCommand("mknod", [TUN, "c", "10", "200"]);
  }
  if (!(await canOpen(TUN))) throw new PackageError(`${TUN} cannot be opened: load the kernel's tun module`);
}

async function canOpen(path: string) {
  return open(path, "r+").then(
    async (file) => {
      await file.close();
      return true;
    },
    () => false,
  );
}

/** Creates the ordinary user if it is not there. */
export async function prepareUser() {
  if ((await runCommand("id", [ORDINARY_USER])).code === 0) return;
  const args = [
    "--system",
    "--user-group",
    "--no-create-home",
    "--shell",
    "/usr/sbin/nologin",
    ORDINARY_USER,
  ];
  const result = await runCommand("useradd", args);
  if (result.code !== 0) throw new PackageError(`cannot create user ${ORDINARY_USER}: ${lastWords(result)}`);
}

/** Installs the programs that mahimahi and its shell call, where they are missing. */
export async function prepareTools() {
  // path, package that has it
  const needed: readonly (readonly [string, string])[] = [
    ["/usr/sbin/iptables-legacy", "iptables"],
    ["/usr/sbin/dnsmasq", "dnsmasq-base"],
    ["/sbin/ip", "iproute2"],
    ["/usr/bin/unshare", "util-linux"],
    ["/usr/bin/setpriv", "util-linux"],
    ["/usr/bin/nsenter", "util-linux"],
    ["/usr/bin/mount", "mount"],
  ];
  const missing = [];
  for (const [path, name] of needed) if (!(await isExecutable(path))) missing.push(name);
  if (missing.length > 0) await installPackages([...new Set(missing)]);
}
