import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { EVENT_WORDS } from "../../../player/src/telemetry/vocabulary.ts";
import { temporaryFolder } from "../../sample-app.ts";
import { SID, sampleBatch, sampleEvent, startSampleTelemetry } from "../sample-telemetry.ts";

const EVENTS = [sampleEvent(0), sampleEvent(1), sampleEvent(2)];

test("a batch is accepted once, and counted as a duplicate when it comes again", async () => {
  const { send } = await startSampleTelemetry();
  expect(await send(sampleBatch(EVENTS))).toMatchObject({
    status: 200,
    body: { accepted: 3, duplicates: 0 },
  });
  const again = [sampleEvent(3), ...EVENTS.toReversed()];
  expect(await send(sampleBatch(again))).toMatchObject({
    status: 200,
    body: { accepted: 1, duplicates: 3 },
  });
});

test("the same numbers of two sessions are different events", async () => {
  const { send } = await startSampleTelemetry();
  await send(sampleBatch(EVENTS));
  const other = await send(sampleBatch(EVENTS), { sid: "0b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11" });
  expect(other.body).toEqual({ accepted: 3, duplicates: 0 });
});

test("batches that come at the same time share commits, and none is counted for another", async () => {
  const { send, telemetry } = await startSampleTelemetry();
  const batches = Array.from({ length: 40 }, (_, index) =>
    sampleBatch([sampleEvent(index), sampleEvent(index + 1)]),
  );
  const answers = await Promise.all(batches.map((batch) => send(batch)));
  const sum = (key: "accepted" | "duplicates") =>
    answers.reduce((total, { body }) => total + (body[key] ?? 0), 0);
  expect([sum("accepted"), sum("duplicates")]).toEqual([41, 39]);
  const commits = await telemetry.metrics.commitSeconds.get();
  expect(commits.values.find(({ metricName }) => metricName?.endsWith("_count"))?.value).toBeLessThan(40);
});

test("a session that only dropped events can say so", async () => {
  const { send } = await startSampleTelemetry();
  expect(await send(sampleBatch([], { dropped: 12 }))).toMatchObject({ status: 200, body: { accepted: 0 } });
});

test.each([
  ["an unknown schema version", { ...sampleBatch(EVENTS), schema: 7 }, "/schema", "this server knows 1"],
  ["no schema version", { ...sampleBatch(EVENTS), schema: undefined }, null, "schema"],
  ["an array", [], null, "must be object"],
  ["a field that is not known", { ...sampleBatch([]), user: "me" }, "/user", "is not a field"],
  ["a key that is not known", sampleBatch([{ ...sampleEvent(0), ip: 1 }]), "/events/0/ip", "is not a field"],
  ["a nested value", sampleBatch([{ ...sampleEvent(0), br: [[1]] }]), "/events/0/br", "must be integer"],
  ["a negative buffer", sampleBatch([sampleEvent(0, { bl: -100 })]), "/events/0/bl", "must be >= 0"],
  [
    "an unrounded throughput",
    sampleBatch([sampleEvent(0, { mtp: 1234 })]),
    "/events/0/mtp",
    "multiple of 100",
  ],
  ["an endless number", sampleBatch([sampleEvent(0, { pt: 1e308 })]), "/events/0/pt", "must be <="],
  ["a fraction", sampleBatch([sampleEvent(0.5)]), "/events/0/sn", "must be integer"],
  ["a number as text", sampleBatch([{ ...sampleEvent(0), br: "NaN" }]), "/events/0/br", "must be integer"],
  ["a state that is not CMCD's", sampleBatch([{ ...sampleEvent(0), sta: "x" }]), "/events/0/sta", '"p"'],
  ["an error without a code", sampleBatch([sampleEvent(0, { e: "e" })]), "/events/0", "'ec'"],
  ["an own event without a name", sampleBatch([sampleEvent(0, { e: "ce" })]), "/events/0", "'cen'"],
  ["half a surrogate pair", sampleBatch([sampleEvent(0, { ec: "\ud800" })]), "/events/0/ec", "pattern"],
  ["a NUL", sampleBatch([sampleEvent(0, { ec: "a\u0000b" })]), "/events/0/ec", "pattern"],
  ["a long text", sampleBatch([sampleEvent(0, { ec: "x".repeat(129) })]), "/events/0/ec", "128"],
  [
    "a time far ahead",
    sampleBatch([sampleEvent(0), sampleEvent(1, { ts: Date.now() + 7 * 86_400_000 })]),
    "/events/1/ts",
    "7 days ahead of this server's clock",
  ],
  ["a number twice", sampleBatch([sampleEvent(0), sampleEvent(0)]), "/events", "stands twice"],
  [
    "201 events",
    sampleBatch(Array.from({ length: 201 }, (_, sn) => sampleEvent(sn))),
    "/events",
    "200 items",
  ],
])("%s is refused, and the field named", async (_what, body, field, words) => {
  const { send } = await startSampleTelemetry();
  const answer = await send(body);
  expect(answer).toMatchObject({ status: 400, body: { error: { status: 400, field } } });
  expect(answer.body.error?.reason).toContain(words);
});

test.each([
  '{"schema":1,"v":2,"cid":"a","sf":"d","st":"v","dropped":0,"events":[],"__proto__":{"polluted":1}}',
  '{"schema":1,"v":2,"cid":"a","sf":"d","st":"v","dropped":0,"events":[{"sn":0,"ts":1,"e":"t","__proto__":{"polluted":1}}]}',
  '{"schema":1,"v":2,"cid":"a","sf":"d","st":"v","dropped":0,"events":[],"constructor":{"prototype":{"polluted":1}}}',
  `{"__proto__":{"schema":1}}`,
  '{"schema":1,',
  '"text"',
  "",
])("the body %s is refused and leaves nothing behind", async (body) => {
  const { send } = await startSampleTelemetry();
  expect((await send(body)).status).toBe(400);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("what is nested ten thousand deep is refused", async () => {
  const { send } = await startSampleTelemetry();
  const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  for (const body of [deep, `{"schema":${deep}}`, `{"schema":1,"events":[${deep}]}`]) {
    expect((await send(body)).status).toBe(400);
  }
});

test("more than 64 KiB is too large, another type unsupported, and so is what is compressed", async () => {
  const { send } = await startSampleTelemetry();
  const large = sampleBatch([sampleEvent(0)], { cid: "x".repeat(65_536) });
  expect((await send(large)).status).toBe(413);
  expect((await send("{}", { headers: { "Content-Type": "text/plain" } })).status).toBe(415);
  expect((await send("{}", { headers: { "Content-Encoding": "gzip" } })).status).toBe(415);
});

test("what comes in chunks is asked for its length", async () => {
  const { url, telemetry } = await startSampleTelemetry();
  const chunked = (path: string, type: string) =>
    fetch(`${url}/api/telemetry/${path}`, {
      method: "POST",
      headers: { "Content-Type": type },
      body: new Blob([JSON.stringify(sampleBatch(EVENTS))]).stream(),
      duplex: "half",
    } as RequestInit);
  const asked = await Promise.all([
    chunked(`sessions/${SID}/events`, "application/json"),
    chunked("cmcd", "application/cmcd"),
  ]);
  expect(asked.map(({ status }) => status)).toEqual([411, 411]);
  expect(await asked[0]?.json()).toMatchObject({
    error: { reason: expect.stringContaining("Content-Length") },
  });
  expect(await telemetry.store.sessionCount()).toBe(0);
});

test("the largest batch that the schema allows fits into the body's limit as pages write it", () => {
  const every = Object.fromEntries(
    EVENT_WORDS.map((word) => [word.key, "maximum" in word ? 86_400_000 : "value"]),
  );
  const bytes = JSON.stringify(sampleBatch(Array.from({ length: 50 }, () => every))).length;
  expect(bytes).toBeLessThan(65_536);
});

test.each(["x", "0", "..%2f..", SID.toUpperCase(), "'; DROP TABLE events; --"])(
  "the session %s is refused",
  async (sid) => {
    const { send } = await startSampleTelemetry();
    expect((await send(sampleBatch(EVENTS), { sid: encodeURIComponent(sid) })).status).toBe(400);
  },
);

test("a page of elsewhere may not write", async () => {
  const { send, url } = await startSampleTelemetry();
  expect((await send(sampleBatch(EVENTS), { headers: { Origin: "https://example.org" } })).status).toBe(403);
  expect((await send(sampleBatch(EVENTS), { headers: { Origin: "null" } })).status).toBe(403);
  expect((await send(sampleBatch(EVENTS), { headers: { Origin: url } })).status).toBe(200);
});

test("a flood is bounded, and told when to come again", async () => {
  const { send } = await startSampleTelemetry();
  vi.spyOn(performance, "now").mockReturnValue(performance.now()); // a busy machine takes seconds for all of them
  onTestFinished(() => void vi.restoreAllMocks());
  const answers = await Promise.all(Array.from({ length: 150 }, () => send("{}")));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
});

/** Sends a bare batch of a session of its own for each of the clients, all over one connection as a proxy does. */
async function sendFor(clients: readonly string[], url: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const statuses: number[] = [];
  for (const client of clients) {
    statuses.push(
      await new Promise((resolve, reject) => {
        const headers = { "Content-Type": "application/json", "X-Forwarded-For": client };
        const path = `${url}/api/telemetry/sessions/${randomUUID()}/events`;
        const sent = request(path, { method: "POST", headers, agent }, (response) => {
          response.resume().once("end", () => resolve(response.statusCode ?? 0));
        });
        sent.once("error", reject).end("{}");
      }),
    );
  }
  return statuses;
}

test("behind a proxy a flood of one client is bounded, and none of another's", async () => {
  const { url } = await startSampleTelemetry(temporaryFolder(), { trustedProxies: ["loopback"] });
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => void vi.restoreAllMocks());
  const others = Array.from({ length: 20 }, (_, place) => `192.0.2.${place + 10}`);
  const statuses = await sendFor([...Array<string>(110).fill("192.0.2.7"), ...others], url);
  expect(statuses.slice(0, 110)).toEqual([...Array(100).fill(400), ...Array(10).fill(429)]);
  expect(statuses.slice(110)).toEqual(Array(20).fill(400));
});

test("without a proxy nobody is another client for saying so", async () => {
  const { url } = await startSampleTelemetry();
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => void vi.restoreAllMocks());
  const statuses = await sendFor(
    Array.from({ length: 110 }, (_, place) => `192.0.2.${place}`),
    url,
  );
  expect(statuses.slice(100)).toEqual(Array(10).fill(429));
});
