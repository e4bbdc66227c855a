import { hostname, networkInterfaces } from "node:os";

/** Where the transport listens and how a browser can trust it. */
export interface TransportInfo {
  readonly host: string;
  readonly port: number;
  /** Base64 of the SHA-256 of each certificate in DER. */
  readonly certificateHashes: readonly string[];
}

const WILDCARDS: readonly string[] = ["0.0.0.0", "::"];
const LOOPBACKS: readonly string[] = ["localhost", "127.0.0.1", "::1"];

/** The address to open: `localhost` where it can be, since only there a page over plain HTTP may use WebTransport. */
export function pageAddress(host: string, port: number): string {
  const isLocal = WILDCARDS.includes(host) || LOOPBACKS.includes(host);
  return `http://${isLocal ? "localhost" : inUrl(host)}:${port}`;
}

/** Origins that a page of this server can have; the transport refuses all others. */
export function pageOrigins(host: string, port: number): string[] {
  const own = WILDCARDS.includes(host) ? [...machineAddresses(host === "::"), hostname()] : [host];
  return [...new Set(["localhost", "127.0.0.1", ...own])].map((name) => originOf(name, port));
}

/** As a browser writes it: the default port is left out. */
function originOf(host: string, port: number): string {
  return new URL(`http://${inUrl(host)}:${port}`).origin;
}

/**
 * The transport's URL for the page that asked. A transport that listens on one address is reached there; one on this
 * machine's loopback or on every address, at the name that the page itself was asked for by.
 *
 * @param requestHostname host of the request, without the port
 */
export function transportUrl(
  transport: Pick<TransportInfo, "host" | "port">,
  requestHostname: string,
): string {
  const { host, port } = transport;
  if (!WILDCARDS.includes(host)) return `https://${inUrl(host === "localhost" ? "127.0.0.1" : host)}:${port}`;
  const isLocal = LOOPBACKS.includes(withoutBrackets(requestHostname));
  return `https://${isLocal ? "127.0.0.1" : inUrl(requestHostname)}:${port}`;
}

function machineAddresses(withIPv6: boolean): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0) // a link's own addresses need a zone, which no origin has
    .filter(({ family }) => family === "IPv4" || withIPv6)
    .map(({ address }) => address);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

function inUrl(host: string): string {
  const bare = withoutBrackets(host);
  return bare.includes(":") ? `[${bare}]` : bare;
}
