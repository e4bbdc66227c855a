import { isIPv6 } from "node:net";

export interface PolicyParts {
  readonly origins: readonly string[];
  /** Where pages open sessions, besides the hosts of the origins. */
  readonly sessionHosts: readonly string[];
  /** Of the servers that films come from, or reports go to, besides this one. */
  readonly otherOrigins?: readonly string[];
}

/**
 * What a page of this server may load and reach, and that nobody may frame it (Content Security Policy level 3). WebAssembly
 * is for learned schemes, `blob:` for the film, `data:` for the empty icon. Sessions go to any port of the hosts that pages
 * and transport have, since the transport's changes with each start.
 */
export function contentSecurityPolicy({ origins, sessionHosts, otherOrigins = [] }: PolicyParts): string {
  const hosts = [...origins.map((origin) => new URL(origin).hostname), ...sessionHosts];
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    [
      "connect-src 'self'",
      ...new Set([...hosts.map(sourceOf), ...otherOrigins.flatMap(sourcesOfOrigin)]),
    ].join(" "),
    "media-src 'self' blob:",
    "img-src 'self' data:",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The grammar of the policy knows no IPv6 addresses: any host must do there. */
function sourceOf(host: string): string {
  return isIPv6(host.replace(/^\[(.*)\]$/, "$1")) ? "https:" : `https://${host}:*`;
}

/** Names as the DNS has them. A URL's may hold a semicolon, a comma or an asterisk, which would say more here. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/** None of one that the policy cannot name, such as an IPv6 address: a manifest may name any. */
function sourcesOfOrigin(origin: string): string[] {
  return PLAIN_ORIGIN.test(origin) ? [origin] : [];
}
