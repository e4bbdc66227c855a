import { syncBuiltinESMExports } from "node:module";
import os, { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  everyAddress,
  inUrl,
  mediaHost,
  ownNames,
  pageAddress,
  pageOrigins,
  transportUrl,
} from "./addresses.ts";

test.each([
  ["127.0.0.1", "http://localhost:8080"],
  ["localhost", "http://localhost:8080"],
  ["::1", "http://localhost:8080"],
  ["0.0.0.0", "http://localhost:8080"],
  ["192.0.2.7", "http://192.0.2.7:8080"],
  ["2001:db8::1", "http://[2001:db8::1]:8080"],
])("a server on %s is opened at %s", (host, address) => {
  expect(pageAddress(host, 8080)).toBe(address);
});

test.each([
  ["::", "[::]"],
  ["[::1]", "[::1]"],
  ["192.0.2.7", "192.0.2.7"],
  ["demo.example", "demo.example"],
])("before a port %s is written %s", (host, written) => {
  expect(inUrl(host)).toBe(written);
});

test("the page's origins are the loopback names and the address listened on, each once", () => {
  expect(pageOrigins("127.0.0.1", 8080)).toEqual(["http://localhost:8080", "http://127.0.0.1:8080"]);
  expect(pageOrigins("192.0.2.7", 8080)).toEqual([
    "http://localhost:8080",
    "http://127.0.0.1:8080",
    "http://192.0.2.7:8080",
  ]);
});

test("an origin leaves out the port that its scheme implies, as browsers do", () => {
  expect(pageOrigins("127.0.0.1", 80)).toEqual(["http://localhost", "http://127.0.0.1"]);
});

test.each([
  ["127.0.0.1", "localhost", "https://127.0.0.1:4433"],
  ["localhost", "localhost", "https://127.0.0.1:4433"],
  ["0.0.0.0", "localhost", "https://127.0.0.1:4433"],
  ["0.0.0.0", "127.0.0.1", "https://127.0.0.1:4433"],
  ["0.0.0.0", "[::1]", "https://127.0.0.1:4433"],
  ["0.0.0.0", "192.0.2.7", "https://192.0.2.7:4433"],
  ["100.64.0.1", "localhost", "https://100.64.0.1:4433"],
  ["2001:db8::1", "localhost", "https://[2001:db8::1]:4433"],
])("a transport on %s is reached from a page on %s at %s", (host, requestHostname, url) => {
  expect(transportUrl({ host, port: 4433 }, { hostname: requestHostname, isPublic: false })).toBe(url);
});

test.each(["127.0.0.1", "0.0.0.0", "192.0.2.7"])(
  "a page by the public name finds the transport of %s there",
  (host) => {
    const page = { hostname: "demo.example", isPublic: true };
    expect(transportUrl({ host, port: 4433 }, page)).toBe("https://demo.example:4433");
  },
);

test.each([
  [["169.254.12.9", "10.20.3.7"], "https://10.20.3.7:8080"],
  [["169.254.12.9"], "https://169.254.12.9:8080"],
  [["192.168.1.5", "10.20.3.7"], "https://192.168.1.5:8080"],
])("of the addresses %j the one to open is %s", (addresses, url) => {
  const found = addresses.map(
    (address) => ({ address, family: "IPv4", internal: false }) as NetworkInterfaceInfo,
  );
  const stub = vi.spyOn(os, "networkInterfaces").mockReturnValue({ one: found });
  syncBuiltinESMExports();
  onTestFinished(() => {
    stub.mockRestore();
    syncBuiltinESMExports();
  });
  expect(pageAddress("0.0.0.0", 8080, "https")).toBe(url);
});

test.each([
  ["laptop", ["laptop", "laptop.local"]],
  ["laptop.lan", ["laptop.lan", "laptop.local"]],
  ["laptop.local", ["laptop.local"]],
  ["laptop of Eve", []],
  ["123456789012", ["123456789012.local"]],
])("the machine %s is called %j in its network", (name, names) => {
  const stub = vi.spyOn(os, "hostname").mockReturnValue(name);
  syncBuiltinESMExports();
  onTestFinished(() => {
    stub.mockRestore();
    syncBuiltinESMExports();
  });
  const called = ({ hostname }: URL) => /^(laptop|123)/.test(hostname);
  const origins = pageOrigins("0.0.0.0", 8080, "https").map((origin) => new URL(origin));
  expect(origins.filter(called).map(({ hostname }) => hostname)).toEqual(names);
  expect(ownNames()).toEqual(expect.arrayContaining(names));
});

test("every address is of both families where the machine has both", () => {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const global = addresses.filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0);
  expect(everyAddress()).toBe(global.some(({ family }) => family === "IPv6") ? "::" : "0.0.0.0");
});

test("behind a proxy the transport listens on every address, else where the page does", () => {
  const publicUrl = "https://demo.example";
  expect(mediaHost({ host: "127.0.0.1", publicUrl })).toBe(everyAddress());
  expect(mediaHost({ host: "192.0.2.7", publicUrl })).toBe("192.0.2.7");
  expect(mediaHost({ host: "localhost", publicUrl: null })).toBe("127.0.0.1");
  expect(mediaHost({ host: "::1", publicUrl: null })).toBe("::1");
});
