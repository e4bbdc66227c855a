import { expect, it } from "vitest";
import { blockedUdpSentence } from "./blocked-udp.ts";

const at = (host: string, certificateHashes = ["q83v"]) => ({
  url: `https://${host}:4433`,
  certificateHashes,
});

it("names the certificate, too, where its issuer vouches for it", () => {
  expect(blockedUdpSentence(at("film.example", []))).toMatch(
    "may block, as may a certificate of an organisation’s own authority; try",
  );
});

it("names the address, the cause and how to tell", () => {
  expect(blockedUdpSentence(at("film.example"))).toBe(
    "The film comes over HTTP, since film.example:4433 does not answer over UDP, which a firewall or a VPN may block; " +
      "try another network, such as a phone’s: where the film comes over WebTransport, UDP is open.",
  );
  expect(blockedUdpSentence(null)).toMatch("since the media server does not answer");
});

it.each(["192.168.1.5", "10.20.3.7", "172.16.0.9", "[fd00::7]", "teacher.local"])(
  "sends nobody from %s to another network",
  (host) => {
    const sentence = blockedUdpSentence(at(host));
    expect(sentence).toMatch("let that machine’s firewall pass UDP port 4433,");
    expect(sentence).not.toMatch("another network");
  },
);

it.each(["172.32.0.1", "10.example", "192.0.2.7", "local.example"])("takes %s for a public host", (host) => {
  expect(blockedUdpSentence(at(host))).toMatch("try another network");
});
