import { expect, test } from "vitest";
import { Front, requireName } from "./front.ts";

const PLAIN = {
  host: "127.0.0.1",
  origin: null,
  publicUrl: null,
  trustProxy: null,
  certificate: null,
  laneEach: false,
};
const FILES = { certificate: "/c.pem", key: "/k.pem" };
const PAIR = { cert: "", key: "", names: ["demo.example", "www.demo.example"], expiresAtMs: 0 };

test("behind a proxy the public URL is an origin, the address to open, and open to others", () => {
  const front = new Front({ ...PLAIN, publicUrl: "https://demo.example:8443" }, null);
  expect(front.origins(8080)).toEqual([
    "http://localhost:8080",
    "http://127.0.0.1:8080",
    "https://demo.example:8443",
  ]);
  expect(front.address(8080)).toBe("https://demo.example:8443");
  expect([front.publicName, front.trustedProxies]).toEqual(["demo.example", ["loopback"]]);
  expect(front.isOpenToOthers("127.0.0.1")).toBe(true);
  const warning = front.warning({ address: "127.0.0.1", port: 8080, link: null });
  expect(warning).not.toContain("others can read");
  expect(warning).toContain("at https://demo.example:8443 for everybody: whoever reaches it");
});

test("with a certificate that was issued, its first name is the public one", () => {
  const front = new Front({ ...PLAIN, host: "0.0.0.0", certificate: FILES }, PAIR);
  expect(front.address(443)).toBe("https://demo.example");
  expect(front.origins(443)).toEqual(
    expect.arrayContaining(["https://demo.example", "https://www.demo.example"]),
  );
  expect([front.publicName, front.trustedProxies]).toEqual(["demo.example", []]);
});

test("a certificate for a wildcard alone needs the page's address", () => {
  const wishes = { ...PLAIN, certificate: FILES };
  expect(() => requireName({ names: [] }, wishes)).toThrow(
    "the certificate /c.pem names no host, as one for *.example: give the page's address with --public-url",
  );
  expect(() => requireName({ names: [] }, { ...wishes, publicUrl: "https://a.example" })).not.toThrow();
  expect(() => requireName({ names: [] }, { ...wishes, origin: "https://a.example" })).not.toThrow();
  expect(() => requireName(PAIR, wishes)).not.toThrow();
});

test("with one of our own, sessions are opened by whatever name the page was", () => {
  const front = new Front({ ...PLAIN, host: "192.0.2.7" }, { ...PAIR, names: ["localhost", "box"] });
  expect([front.publicName, front.address(8080)]).toEqual([null, "https://192.0.2.7:8080"]);
  expect(front.origins(8080)).toEqual([
    "https://localhost:8080",
    "https://127.0.0.1:8080",
    "https://192.0.2.7:8080",
  ]);
  expect(front.warning({ address: "192.0.2.7", port: 8080, link: null })).toContain(
    "browsers warn of the certificate",
  );
});

test("without either it is this machine's, over HTTP", () => {
  const front = new Front(PLAIN, null);
  expect([front.scheme, front.publicName, front.trustedProxies]).toEqual(["http", null, []]);
  expect([front.isOpenToOthers("127.0.0.1"), front.isOpenToOthers("0.0.0.0")]).toEqual([false, true]);
  expect(front.warning({ address: "0.0.0.0", port: 1, link: null })).toContain(
    "over HTTP that others can read",
  );
});

test.each([
  [null, false, null],
  [null, true, null],
  ["steps", false, "; the emulated link is shared by all visitors (--lane-each: one each)"],
  ["24mbit", true, "; each session has the emulated link alone"],
])(
  "of the link %j with lanes of their own (%j) the warning says whose it is: %j",
  (link, laneEach, clause) => {
    const said = new Front({ ...PLAIN, laneEach }, null).warning({ address: "0.0.0.0", port: 1, link });
    expect(/; [^;]*emulated link[^;]*/.exec(said)?.[0] ?? null).toBe(clause);
  },
);
