import { expect, it } from "vitest";
import { noWebTransportNotice } from "./no-webtransport.ts";

const consequence = "nothing works";

it.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64; rv:100.0) Gecko/20100101 Firefox/100.0",
    /Firefox has it from 114 on, unless network/,
  ],
  [
    "Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0 Safari/537.36",
    /Chrome has it from 97 on/,
  ],
  [
    "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    /Safari has it from 26.4 on/,
  ],
  ["Lynx", /nothing works; use a current Chrome, Edge or Firefox\.$/],
])("says what gives this browser one: %s", (userAgent, remedy) => {
  const page = { isSecure: true, origin: "http://localhost:8080", userAgent };
  expect(noWebTransportNotice(page, consequence)).toMatch(
    /^This browser has no WebTransport, so nothing works; /,
  );
  expect(noWebTransportNotice(page, consequence)).toMatch(remedy);
});

it.each([
  ["http://192.168.1.5:8080", "http://localhost:8080"],
  ["http://films.example", "http://localhost"],
])("blames the address where it is the cause: %s", (origin, local) => {
  expect(noWebTransportNotice({ isSecure: false, origin, userAgent: "" }, consequence)).toBe(
    `Browsers give WebTransport only to a page of their own machine or over HTTPS, which ${origin} is not, so nothing ` +
      `works; open ${local} on the machine that serves it, or serve it over HTTPS.`,
  );
});
