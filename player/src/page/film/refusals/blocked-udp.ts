/**
 * That UDP hardly gets through: no session was ever open, the handshake is still unanswered when HTTP takes over, and the
 * page's own server answers. One sentence, with how to tell. Pure.
 *
 * @param mediaServerUrl null where it is not known
 */
export function blockedUdpSentence(mediaServerUrl: string | null): string {
  const where = mediaServerUrl === null ? "the media server" : new URL(mediaServerUrl).host;
  return (
    `The film comes over HTTP, since ${where} does not answer over UDP, which a firewall or a VPN may block; ` +
    "try another network, such as a phone’s: where the film comes over WebTransport, UDP is open."
  );
}
