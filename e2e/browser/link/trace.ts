import { createHash } from "node:crypto";
import { basename } from "node:path";
import { PYTHON, ROOT } from "../environment.ts";
import { runCommand } from "../setup/run-command.ts";

/** What the link counts of each packet besides its UDP payload: UDP 8, IPv4 20, TUN 4. */
export const OVERHEAD_BYTES = 32;

/** The largest traces take half a minute to become opportunities, several times that on a busy machine. */
const TRACE_LIMIT_MS = 300_000;

/** A link that cannot be had; the message is one sentence for a person. */
export class LinkError extends Error {}

/** Both directions of an emulated link, as mahimahi reads them: one millisecond per line and opportunity. */
export interface TracePair {
  name: string;
  downlink: string;
  uplink: string;
  /** SHA-256 of the downlink trace, hexadecimal. */
  downlinkSha256: string;
  uplinkSha256: string;
}

/**
 * The traces of a link given as a rate (`24mbit`), as the name of a recorded pair (`Verizon-LTE-short`) or of a generated
 * one (`lte-like`), or as a file of any format that the relay's catalogue reads.
 * A file that ends in `.down` and has an `.up` beside it brings its own uplink; any other serves both directions.
 */
export async function findTraces(link: string, tracesDirectory: string | null): Promise<TracePair> {
  const downlink = await fromCatalogue(link, tracesDirectory);
  const uplink = await fromCatalogue(link, tracesDirectory, "--uplink");
  return describe(basename(link).replace(/\.down$/, ""), downlink, uplink);
}

function describe(name: string, downlink: string, uplink: string): TracePair {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  return { name, downlink, uplink, downlinkSha256: sha256(downlink), uplinkSha256: sha256(uplink) };
}

/** What mahimahi gets is in its format, whatever a file's was. */
async function fromCatalogue(
  link: string,
  tracesDirectory: string | null,
  ...direction: "--uplink"[]
): Promise<string> {
  const { code, stdout, stderr } = await runCommand(
    PYTHON,
    [
      ...["-P", "-m", "transport", "links", "--trace", link, ...direction],
      ...(tracesDirectory === null ? [] : ["--traces", tracesDirectory]),
    ],
    { env: { ...process.env, PYTHONPATH: ROOT }, timeoutMs: TRACE_LIMIT_MS },
  );
  if (code !== 0) throw new LinkError(stderr.trim().replace(/^python -m transport links: /, ""));
  return stdout;
}
