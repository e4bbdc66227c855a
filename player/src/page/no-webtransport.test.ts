import { expect, it } from "vitest";
import { noWebTransportNotice } from "./no-webtransport.ts";

const consequence = "nothing works";

it("names the browsers that have it", () => {
  expect(noWebTransportNotice({ isSecure: true, origin: "http://localhost:8080" }, consequence)).toBe(
    "This browser has no WebTransport, so nothing works; use Chromium or one of its relatives (Chrome, Edge).",
  );
});

it.each([
  ["http://192.168.1.5:8080", "http://localhost:8080"],
  ["http://films.example", "http://localhost"],
])("blames the address where it is the cause: %s", (origin, local) => {
  expect(noWebTransportNotice({ isSecure: false, origin }, consequence)).toBe(
    `Browsers give WebTransport only to a page of their own machine or over HTTPS, which ${origin} is not, so nothing ` +
      `works; open ${local} on the machine that serves it, or serve it over HTTPS.`,
  );
});
