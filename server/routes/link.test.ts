import { expect, test } from "vitest";
import { Refusal } from "../errors.ts";
import { ORIGIN, SAMPLE_LINK_STATE, sampleLink, startSampleApp } from "../sample-app.ts";

/** Those of cc/links/limits.json. */
const LIMITS = {
  delayMs: { min: 0, max: 1000 },
  queuePackets: { min: 1, max: 20_000 },
  loss: { min: 0, max: 0.5 },
};
const OWN_PAGE = { Origin: ORIGIN, "Content-Type": "application/json" };

async function put(
  body: string,
  headers: Record<string, string> = OWN_PAGE,
  link = sampleLink({ kind: "relay" }),
) {
  const { url } = await startSampleApp({ link });
  const response = await fetch(`${url}/api/link`, { method: "PUT", headers, body });
  return { status: response.status, answer: await response.json(), requests: link.requests };
}

test("the emulated link is told", async () => {
  const { url } = await startSampleApp({ link: sampleLink({ kind: "relay" }) });
  const response = await fetch(`${url}/api/link`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual({
    link: SAMPLE_LINK_STATE,
    limits: LIMITS,
    nowMs: expect.closeTo(Date.now(), -5),
  });
});

test("while the server's first link is on its way nobody is told that nothing is emulated", async () => {
  const link = { ...sampleLink({ kind: "away" }), isAwaited: true };
  const { url } = await startSampleApp({ link });
  expect((await fetch(`${url}/api/link`)).status).toBe(503);
});

test("a request is passed on whole and what it leaves out is as the server was started", async () => {
  const whole = { name: "24mbit", delayMs: 5, queuePackets: 50, lossRatio: 0.01 };
  expect(await put(JSON.stringify(whole))).toEqual({
    status: 200,
    answer: { link: SAMPLE_LINK_STATE, limits: LIMITS, nowMs: expect.closeTo(Date.now(), -5) },
    requests: [whole],
  });
  expect((await put('{"name":"24Mbit"}')).requests[0]?.name).toBe("24mbit");
  const { requests } = await put('{"name":"none"}');
  expect(requests).toEqual([{ name: "none", delayMs: 20, queuePackets: 300, lossRatio: 0 }]);
});

test.each([
  ["another origin", { Origin: "http://evil.example" }, 403],
  ["no origin", { Origin: undefined }, 403],
  ["the origin null", { Origin: "null" }, 403],
  ["a form's content type", { "Content-Type": "text/plain" }, 415],
  ["no JSON at all", { "Content-Type": "application/x-www-form-urlencoded" }, 415],
])("a request with %s is refused", async (_what, change, status) => {
  const headers = Object.fromEntries(
    Object.entries({ ...OWN_PAGE, ...change }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  const refused = await put('{"name":"none"}', headers);
  expect([refused.status, refused.requests]).toEqual([status, []]);
  if (status === 403)
    expect(refused.answer.error.reason).toContain(`a program sends the header "Origin: ${ORIGIN}"`);
});

test.each([
  ["no JSON", "name", 400, null, "the body is not JSON"],
  ["an array", "[]", 400, null, "the link must be object"],
  ["no name", "{}", 400, null, "the link must have required property 'name'"],
  ["a field unknown", '{"name":"none","colour":1}', 400, "/colour", "/colour is not a field of this request"],
  ["a file's path", '{"name":"../../etc/passwd"}', 400, "/name", "/name must match pattern"],
  ["a delay below zero", '{"name":"none","delayMs":-1}', 400, "/delayMs", "/delayMs must be >= 0"],
  ["a delay no session opens over", '{"name":"none","delayMs":1001}', 400, "/delayMs", "must be <= 1000"],
  ["a delay in words", '{"name":"none","delayMs":"20"}', 400, "/delayMs", "/delayMs must be number"],
  ["half a packet", '{"name":"none","queuePackets":0.5}', 400, "/queuePackets", "must be integer"],
  ["no limit of the queue", '{"name":"none","queuePackets":null}', 400, "/queuePackets", "must be integer"],
  ["more loss than half", '{"name":"none","lossRatio":0.51}', 400, "/lossRatio", "/lossRatio must be <= 0.5"],
  [
    "a prototype",
    '{"name":"none","__proto__":{"delayMs":1}}',
    400,
    "/__proto__",
    "/__proto__ is not a field",
  ],
  ["4 KiB of space", `{"name":"none"${" ".repeat(4096)}}`, 413, null, "the body is larger than 4096 bytes"],
  ["arrays without end", "[".repeat(2000), 400, null, "the body is not JSON"],
])("a body with %s is refused, and the field named", async (_what, body, status, field, reason) => {
  const refused = await put(body);
  expect([refused.status, refused.requests]).toEqual([status, []]);
  expect(refused.answer).toEqual({ error: { status, reason: expect.stringContaining(reason), field } });
});

test("what the link refuses is said in its words", async () => {
  const link = {
    ...sampleLink({ kind: "relay" }),
    change: () => Promise.reject(new Refusal(400, 'unknown link "moon"')),
  };
  const refused = await put('{"name":"moon"}', OWN_PAGE, link);
  expect(refused.answer).toEqual({ error: { status: 400, reason: 'unknown link "moon"', field: null } });
});

test("where no link can be emulated there is no such route", async () => {
  const { url } = await startSampleApp();
  expect((await fetch(`${url}/api/link`)).status).toBe(404);
});
