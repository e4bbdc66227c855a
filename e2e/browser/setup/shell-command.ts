/** What the set-up found or made of mahimahi; written into environment.json. */
export interface Mahimahi {
  /** Directory of mm-link, mm-delay and mm-loss, setuid root. */
  readonly binaries: string;
  /** Directory of the recorded traces (NAME.up, NAME.down). */
  readonly traces: string;
  readonly version: string;
  /** The ordinary user as whom mahimahi is started. */
  readonly user: string;
  /** What is mounted over iptables while mahimahi starts. */
  readonly iptablesWrapper: string;
}

/** Where mahimahi calls iptables. */
const IPTABLES = "/usr/sbin/iptables";

/**
 * The command that runs mahimahi as the ordinary user, with its iptables replaced for these processes alone.
 *
 * mahimahi refuses to be started by root, and calls iptables while it is setuid, which iptables 1.8.8 and newer refuse. A mount
 * namespace of its own lets a wrapper stand over iptables without touching the system.
 *
 * @param program `mm-...` and its arguments, by absolute path
 * @returns to be run as root
 */
export function asOrdinaryUser(
  mahimahi: Mahimahi,
  program: readonly string[],
): { command: string; args: string[] } {
  const script = `mount --bind "$1" ${IPTABLES} && shift && exec "$@"`;
  const asUser = ["setpriv", `--reuid=${mahimahi.user}`, `--regid=${mahimahi.user}`, "--init-groups", "--"];
  return {
    command: "unshare",
    args: ["-m", "sh", "-c", script, "sh", mahimahi.iptablesWrapper, ...asUser, ...program],
  };
}
