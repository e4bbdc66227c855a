import type { MediaServerAddress } from "../../../options/media-server-address.ts";

/** Addresses and names of a home, a school or an office (RFC 1918, 4193 and 6762), which no other network reaches. */
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$|^\[f[cd]|\.local$/;

export type NamedServer = Pick<MediaServerAddress, "url" | "certificateHashes">;

/**
 * That UDP hardly gets through: no session was ever open, the handshake is still unanswered when HTTP takes over, and the
 * page's own server answers. One sentence, with how to tell, or whose firewall it is where both are in one network. Pure.
 *
 * A certificate without a hash is known by its issuer, and Chromium takes no company's own for QUIC: it looks the same.
 *
 * @param server null where it is not known
 */
export function blockedUdpSentence(server: NamedServer | null): string {
  const url = server === null ? null : new URL(server.url);
  const where = url?.host ?? "the media server";
  if (url !== null && PRIVATE.test(url.hostname)) {
    return (
      `The film comes over HTTP, since ${where} does not answer over UDP; ` +
      `let that machine’s firewall pass UDP port ${url.port || 443}, and the network’s access point let its devices reach each other.`
    );
  }
  const issuer =
    server?.certificateHashes.length === 0 ? ", as may a certificate of an organisation’s own authority" : "";
  return (
    `The film comes over HTTP, since ${where} does not answer over UDP, which a firewall or a VPN may block${issuer}; ` +
    "try another network, such as a phone’s: where the film comes over WebTransport, UDP is open."
  );
}
