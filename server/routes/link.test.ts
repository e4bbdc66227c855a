import { expect, test } from "vitest";
import { Refusal } from "../errors.ts";
import { ORIGIN, SAMPLE_LINK_STATE, sampleLink, startSampleApp } from "../sample-app.ts";

const OWN_PAGE = { Origin: ORIGIN, "Content-Type": "application/json" };

async function put(
  body: string,
  headers: Record<string, string> = OWN_PAGE,
  link = sampleLink({ kind: "relay" }),
) {
  const { url } = await startSampleApp({ link });
  const response = await fetch(`${url}/api/link`, { method: "PUT", headers, body });
  return { status: response.status, answer: await response.json(), wishes: link.wishes };
}

test("the emulated link is told", async () => {
  const { url } = await startSampleApp({ link: sampleLink({ kind: "relay" }) });
  const response = await fetch(`${url}/api/link`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual({ link: SAMPLE_LINK_STATE });
});

test("a wish is passed on whole and what it leaves out is as the server was started", async () => {
  const whole = { name: "24mbit", delayMs: 5, queuePackets: 50, lossRatio: 0.01 };
  expect(await put(JSON.stringify(whole))).toEqual({
    status: 200,
    answer: { link: SAMPLE_LINK_STATE },
    wishes: [whole],
  });
  const { wishes } = await put('{"name":"none"}');
  expect(wishes).toEqual([{ name: "none", delayMs: 20, queuePackets: 300, lossRatio: 0 }]);
});

test.each([
  ["another origin", { Origin: "http://evil.example" }, 403],
  ["no origin", { Origin: undefined }, 403],
  ["the origin null", { Origin: "null" }, 403],
  ["a form's content type", { "Content-Type": "text/plain" }, 415],
  ["no JSON at all", { "Content-Type": "application/x-www-form-urlencoded" }, 415],
])("a wish with %s is refused", async (_what, change, status) => {
  const headers = Object.fromEntries(
    Object.entries({ ...OWN_PAGE, ...change }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  const refused = await put('{"name":"none"}', headers);
  expect([refused.status, refused.wishes]).toEqual([status, []]);
});

test.each([
  ["no JSON", "name", 400, "Bad Request"],
  ["an array", "[]", 400, "the body must be object"],
  ["no name", "{}", 400, "the body must have required property 'name' (name)"],
  [
    "a field unknown",
    '{"name":"none","colour":1}',
    400,
    "the body must NOT have additional properties (colour)",
  ],
  ["a file's path", '{"name":"../../etc/passwd"}', 400, "name must match pattern"],
  ["a delay below zero", '{"name":"none","delayMs":-1}', 400, "delayMs must be >= 0"],
  ["a delay in words", '{"name":"none","delayMs":"20"}', 400, "delayMs must be number"],
  ["half a packet", '{"name":"none","queuePackets":0.5}', 400, "queuePackets must be integer"],
  ["more loss than all", '{"name":"none","lossRatio":1.1}', 400, "lossRatio must be <= 1"],
  ["a prototype", '{"name":"none","__proto__":{"delayMs":1}}', 400, "(__proto__)"],
  ["4 KiB of space", `{"name":"none"${" ".repeat(4096)}}`, 413, "Payload Too Large"],
  ["arrays without end", "[".repeat(2000), 400, "Bad Request"],
])("a body with %s is refused", async (_what, body, status, reason) => {
  const refused = await put(body);
  expect([refused.status, refused.wishes]).toEqual([status, []]);
  expect(refused.answer).toEqual({ error: { status, reason: expect.stringContaining(reason) } });
});

test("what the link refuses is said in its words", async () => {
  const link = {
    ...sampleLink({ kind: "relay" }),
    change: () => Promise.reject(new Refusal(400, 'unknown link "moon"')),
  };
  const refused = await put('{"name":"moon"}', OWN_PAGE, link);
  expect(refused.answer).toEqual({ error: { status: 400, reason: 'unknown link "moon"' } });
});

test("where no link can be emulated there is no such route", async () => {
  const { url } = await startSampleApp();
  expect((await fetch(`${url}/api/link`)).status).toBe(404);
});
