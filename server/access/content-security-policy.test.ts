import { expect, test } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";

function connectSources(origins: readonly string[], ...sessionHosts: readonly string[]): string[] {
  const policy = contentSecurityPolicy({ origins, sessionHosts });
  const directive = policy.split("; ").find((part) => part.startsWith("connect-src "));
  return directive?.split(" ").slice(1) ?? [];
}

test("a page connects to any port of its own hosts and of the transport's, each named once", () => {
  const origins = ["http://localhost:8080", "http://127.0.0.1:8080"];
  expect(connectSources(origins, "127.0.0.1")).toEqual([
    "'self'",
    "https://localhost:*",
    "https://127.0.0.1:*",
  ]);
  expect(connectSources(origins, "100.64.0.1")).toContain("https://100.64.0.1:*");
  expect(connectSources(origins)).toHaveLength(3);
});

test("a page fetches films of other servers, and reports to collectors", () => {
  const policy = contentSecurityPolicy({
    origins: [],
    sessionHosts: [],
    otherOrigins: ["https://r.example"],
  });
  expect(policy).toContain("connect-src 'self' https://r.example;");
});

test("an IPv6 address, which a policy cannot name, opens any host", () => {
  expect(connectSources(["http://localhost:8080", "http://[2001:db8::1]:8080"])).toEqual([
    "'self'",
    "https://localhost:*",
    "https:",
  ]);
});

test.each([
  "http://a;frame-ancestors",
  "http://a,b",
  "https://*",
  "http://a'none'",
  "http://[2001:db8::1]:81",
])("a manifest's server %s adds nothing to the policy", (origin) => {
  expect(new URL(`${origin}/film.mpd`).origin).toBe(origin);
  const parts = { origins: [], sessionHosts: [] };
  expect(contentSecurityPolicy({ ...parts, otherOrigins: [origin] })).toBe(contentSecurityPolicy(parts));
});
