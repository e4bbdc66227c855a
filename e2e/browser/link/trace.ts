import { createHash } from "node:crypto";
import { basename } from "node:path";
import { PYTHON, ROOT } from "../environment.ts";
import { runCommand } from "../setup/run-command.ts";

/** One delivery opportunity, as mahimahi counts: an IP packet of at most 1500 bytes and 4 bytes of TUN header. */
export const OPPORTUNITY_BYTES = 1504;

/** What the link counts of each packet besides its UDP payload: UDP 8, IPv4 20, TUN 4. */
export const OVERHEAD_BYTES = 32;

/** Period of a constant-rate trace. Long, so that a whole number of opportunities comes within 602 bit/s of any rate. */
const CONSTANT_PERIOD_MS = 10_000;

/** The largest traces take half a minute to become opportunities, several times that on a busy machine. */
const TRACE_LIMIT_MS = 300_000;

const UNIT_BITS: Readonly<Record<string, number>> = { kbit: 1e3, mbit: 1e6, gbit: 1e9 };

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

/** Bits per second of `24mbit`, `800kbit`, `1.5mbit`; null if the text is not a rate. */
export function parseRate(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(kbit|mbit|gbit)$/.exec(text.toLowerCase());
  if (match === null) return null;
  return Number(match[1]) * (UNIT_BITS[match[2] as string] as number);
}

/**
 * A trace of constant rate: N opportunities spread evenly over ten seconds, N rounded to the nearest whole number. Each is put
 * at the end of its share of the period, so that the last line, which sets the period, falls on the period itself.
 */
export function constantTrace(bitsPerSecond: number): string {
  const bitsPerPeriod = (bitsPerSecond * CONSTANT_PERIOD_MS) / 1000;
  const opportunities = Math.round(bitsPerPeriod / (OPPORTUNITY_BYTES * 8));
  if (opportunities < 1) throw new LinkError(`a link of ${bitsPerSecond} bit/s is too slow: at least 2 kbit`);
  const lines: string[] = [];
  for (let index = 1; index <= opportunities; index += 1) {
    lines.push(String(Math.ceil((index * CONSTANT_PERIOD_MS) / opportunities)));
  }
  return `${lines.join("\n")}\n`;
}

/**
 * The traces of a link given as a rate (`24mbit`), as the name of a recorded pair (`Verizon-LTE-short`) or of a generated
 * one (`lte-like`), or as a file of any format that the relay's catalogue reads.
 * A file that ends in `.down` and has an `.up` beside it brings its own uplink; any other serves both directions.
 */
export async function findTraces(link: string, tracesDirectory: string | null): Promise<TracePair> {
  const rate = parseRate(link);
  if (rate !== null) {
    const trace = constantTrace(rate);
    return describe(link.toLowerCase(), trace, trace);
  }
  const downlink = await fromCatalogue(link, tracesDirectory);
  const uplink = await fromCatalogue(link, tracesDirectory, "--uplink");
  return describe(basename(link).replace(/\.down$/, ""), downlink, uplink);
}

function describe(name: string, downlink: string, uplink: string): TracePair {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  return { name, downlink, uplink, downlinkSha256: sha256(downlink), uplinkSha256: sha256(uplink) };
}

/** Everything that has a trace but rates: what mahimahi gets is in its format, whatever the file's was. */
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
