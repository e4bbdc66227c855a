/**
 * @typedef {object} Mahimahi what `prepare.mjs` found or made; written into environment.json
 * @property {string} binaries directory of mm-link, mm-delay and mm-loss, setuid root
 * @property {string} traces directory of the recorded traces (NAME.up, NAME.down)
 * @property {string} version
 * @property {string} user the ordinary user as whom mahimahi is started
 * @property {string} iptablesWrapper what is mounted over iptables while mahimahi starts
 */

/** Where mahimahi calls iptables. */
const IPTABLES = "/usr/sbin/iptables";

/**
 * The command that runs mahimahi as the ordinary user, with its iptables replaced for these processes alone.
 *
 * mahimahi refuses to be started by root, and calls iptables while it is setuid, which iptables 1.8.8 and newer refuse. A mount
 * namespace of its own lets a wrapper stand over iptables without touching the system.
 *
 * @param {Mahimahi} mahimahi
 * @param {readonly string[]} program `mm-...` and its arguments, by absolute path
 * @returns {{ command: string, args: string[] }} to be run as root
 */
export function asOrdinaryUser(mahimahi, program) {
  const script = `mount --bind "$1" ${IPTABLES} && shift && exec "$@"`;
  const asUser = ["setpriv", `--reuid=${mahimahi.user}`, `--regid=${mahimahi.user}`, "--init-groups", "--"];
  return {
    command: "unshare",
    args: ["-m", "sh", "-c", script, "sh", mahimahi.iptablesWrapper, ...asUser, ...program],
  };
}
