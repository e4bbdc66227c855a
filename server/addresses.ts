import { isIPv6 } from "node:net";
import { hostname, networkInterfaces } from "node:os";

/** Where one process of the transport listens and how a browser can trust it. */
export interface WorkerInfo {
  readonly host: string;
  readonly port: number;
  /** Base64 of the SHA-256 of each certificate in DER. */
  readonly certificateHashes: readonly string[];
  /** How many are open there, as it said last; absent: it does not say. */
  readonly sessions?: number;
}

/** The transport: one of its processes, the same for as long as that is there, and all of them if there are several. */
export interface TransportInfo extends WorkerInfo {
  readonly workers?: readonly WorkerInfo[];
}

const WILDCARDS: readonly string[] = ["0.0.0.0", "::"];
const LOOPBACKS: readonly string[] = ["localhost", "127.0.0.1", "::1"];

/** How pages are served: browsers allow WebTransport to localhost, and elsewhere over HTTPS alone. */
export type PageScheme = "http" | "https";

/** The address to open: `localhost` where it can be over HTTP, where other machines reach it over HTTPS. */
export function pageAddress(host: string, port: number, scheme: PageScheme = "http"): string {
  const isWildcard = WILDCARDS.includes(host);
  const [own] = scheme === "https" && isWildcard ? printable(host) : [];
  const name = isWildcard || LOOPBACKS.includes(host) ? inUrl(own ?? "localhost") : inUrl(host);
  return `${scheme}://${name}:${port}`;
}

/**
 * Of this machine's addresses, those that are read out and typed: of IPv4, or all where there is none. What an interface gave
 * itself, since nobody gave it one (RFC 3927), leads nowhere where there is another.
 */
function printable(host: string): string[] {
  const addresses = machineAddresses(false);
  const first = addresses.find((address) => !address.startsWith("169.254.")) ?? addresses[0];
  return first === undefined ? machineAddresses(host === "::") : [first];
}

/** Origins that a page of this server can have; the transport refuses all others. */
export function pageOrigins(host: string, port: number, scheme: PageScheme = "http"): string[] {
  const own = WILDCARDS.includes(host) ? [...machineAddresses(host === "::"), ...machineNames()] : [host];
  return [...new Set(["localhost", "127.0.0.1", ...own])].map((name) => originOf(name, port, scheme));
}

/** By which this machine can be reached at the moment: addresses of containers, tunnels and for privacy come and go. */
export function ownNames(): string[] {
  return ["localhost", "127.0.0.1", "::1", ...machineNames(), ...machineAddresses(true)];
}

/** As a browser writes it: the default port is left out. */
function originOf(host: string, port: number, scheme: PageScheme): string {
  return new URL(`${scheme}://${inUrl(host)}:${port}`).origin;
}

/** To listen on each, of IPv4 and IPv6 if the machine has that: whose name has an AAAA record is asked there first. */
export function everyAddress(): string {
  return machineAddresses(true).some(isIPv6) ? "::" : "0.0.0.0";
}

/** Where the media server and the lanes of an emulated link listen: a proxy in front of the page passes no UDP on. */
export function mediaHost({ host, publicUrl }: { host: string; publicUrl: string | null }): string {
  if (publicUrl !== null && LOOPBACKS.includes(host)) return everyAddress();
  return host === "localhost" ? "127.0.0.1" : host; // a name may stand for two addresses, of which a browser tries one
}

/** How many UDP ports the media server has, from the first one on; the lanes of an emulated link are behind them. */
export function mediaPortCount({ workers, sharedPort }: { workers: number; sharedPort: boolean }): number {
  return sharedPort ? 1 : workers;
}

/** What a page that asks for the transport was asked for by. */
export interface PageHost {
  /** Without the port. */
  readonly hostname: string;
  /** Whether that is the public name, at which the transport is reached whatever it listens on. */
  readonly isPublic: boolean;
}

/**
 * The transport's URL for the page that asked. A transport that listens on one address is reached there; one on this
 * machine's loopback or on every address, at the name that the page itself was asked for by.
 */
export function transportUrl(
  transport: Pick<WorkerInfo, "host" | "port">,
  { hostname: requestHostname, isPublic }: PageHost,
): string {
  const { host, port } = transport;
  if (isPublic) return `https://${inUrl(requestHostname)}:${port}`;
  if (!WILDCARDS.includes(host)) return `https://${inUrl(host === "localhost" ? "127.0.0.1" : host)}:${port}`;
  const isLocal = LOOPBACKS.includes(withoutBrackets(requestHostname));
  return `https://${isLocal ? "127.0.0.1" : inUrl(requestHostname)}:${port}`;
}

/**
 * What it is called, and by which others in its network ask for that (RFC 6762): there without its domain. No address has what is
 * no host there, as the twelve digits by which one container in some hundreds goes.
 */
function machineNames(): string[] {
  const name = hostname();
  const names = [name, `${name.split(".")[0]}.local`];
  return [...new Set(names)].filter((each) => URL.canParse(`http://${inUrl(each)}`));
}

function machineAddresses(withIPv6: boolean): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0) // a link's own addresses need a zone, which no origin has
    .filter(({ family }) => family === "IPv4" || withIPv6)
    .map(({ address }) => address);
}

export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** IPv6 in brackets, so that a port can follow. */
export function inUrl(host: string): string {
  const bare = withoutBrackets(host);
  return bare.includes(":") ? `[${bare}]` : bare;
}
