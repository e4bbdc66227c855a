import { expect, it } from "vitest";
import { blockedUdpSentence } from "./blocked-udp.ts";

it("names the address, the cause and how to tell", () => {
  expect(blockedUdpSentence("https://film.example:4433")).toBe(
    "The film comes over HTTP, since film.example:4433 does not answer over UDP, which a firewall or a VPN may block; " +
      "try another network, such as a phone’s: where the film comes over WebTransport, UDP is open.",
  );
  expect(blockedUdpSentence(null)).toMatch("since the media server does not answer");
});
