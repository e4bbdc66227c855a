import { randomUUID } from "node:crypto";
import { CMCD_KEYS, CmcdReporter } from "@svta/cml-cmcd";
import { expect, onTestFinished, test, vi } from "vitest";
import type { AppConfig } from "../../config.ts";
import { temporaryFolder } from "../../sample-app.ts";
import { startSampleTelemetry } from "../sample-telemetry.ts";

const SID = "0b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11";
const HEADERS = { "Content-Type": "application/cmcd" };
const NOW_MS = Date.now();
/** A line as dash.js 5.2.1 sends it. */
const LINE = `bl=(7900;v 4000;a),br=(128;a 3000;v),cid="film",e=t,mtp=(12345;v),pt=4000,sf=d,sid="${SID}",sn=1,st=v,sta=p,ts=${NOW_MS},v=2`;

/** A line of each of so many sessions. */
function linesOf(sessions: number): string {
  return Array.from({ length: sessions }, () => LINE.replace(SID, randomUUID())).join("\n");
}

async function collector(overrides: Partial<AppConfig> = {}) {
  const sample = await startSampleTelemetry(temporaryFolder(), overrides);
  const report = (body: string, headers: Readonly<Record<string, string>> = HEADERS) =>
    fetch(`${sample.url}/api/telemetry/cmcd`, { method: "POST", headers, body });
  const stored = async () => (await (await sample.get("/api/telemetry/events.json")).json()) as object[];
  const sessions = async () =>
    ((await (await sample.get("/api/telemetry/sessions")).json()) as { sessions: object[] }).sessions;
  return { ...sample, report, stored, sessions };
}

test("a report is stored and read back, with the video's item of each list", async () => {
  const { report, stored, sessions } = await collector();
  expect((await report(`${LINE}\n`)).status).toBe(204);
  expect(await stored()).toMatchObject([
    { sid: SID, sn: 1, e: "t", sta: "p", bl: 7900, br: 3000, mtp: 12300 },
  ]);
  expect(await sessions()).toMatchObject([{ sid: SID, cid: "film", events: 1, playedUntilMs: 4000 }]);
});

test("a report that comes again counts once, and lines of two sessions are two sessions'", async () => {
  const { report, stored, sessions } = await collector();
  const other = LINE.replace(SID, "1b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11").replace('cid="film",', "");
  await report(LINE);
  expect((await report(`${LINE}\r\n${other}\n`)).status).toBe(204);
  expect(await stored()).toHaveLength(2);
  expect(new Set((await sessions()).map((session) => "cid" in session && session.cid))).toEqual(
    new Set(["film", null]),
  );
});

test("a report of eight sessions waits as one, and is stored as one", async () => {
  const { report, stored, telemetry } = await collector();
  const commits = vi.spyOn(telemetry.store, "acceptAll");
  expect((await report(linesOf(8))).status).toBe(204);
  expect(commits).toHaveBeenCalledTimes(1);
  expect(await stored()).toHaveLength(8);
});

test("an address is charged for each session that a report names, from one allowance for both routes", async () => {
  const { url, report } = await collector({ trustedProxies: ["loopback"] });
  const client = { "X-Forwarded-For": "192.0.2.7" };
  vi.spyOn(performance, "now").mockReturnValue(performance.now()); // nothing is filled up meanwhile
  onTestFinished(() => void vi.restoreAllMocks());
  const body = "x".repeat(64 * 1024); // of no known type: the bytes count all the same
  const headers = { "Content-Type": "text/plain", ...client };
  const events = `${url}/api/telemetry/sessions/${SID}/events`;
  for (let sent = 0; sent < 100; sent += 1) await fetch(events, { method: "POST", headers, body });
  for (let sent = 100; sent < 127; sent += 1) await report(body, headers);
  const statuses: number[] = [];
  for (let sent = 0; sent < 9; sent += 1)
    statuses.push((await report(linesOf(8), { ...HEADERS, ...client })).status);
  expect(statuses).toEqual([204, 204, 204, 204, 204, 204, 204, 204, 429]);
});

test("what the reporter that dash.js uses sends is understood", async () => {
  const { url, stored, sessions } = await collector();
  const target = {
    url: `${url}/api/telemetry/cmcd`,
    events: ["ps" as const, "t" as const, "e" as const],
    batchSize: 2,
    enabledKeys: [...CMCD_KEYS],
  };
  const answers: Promise<number>[] = [];
  const reporter = new CmcdReporter({ sid: SID, cid: "film", eventTargets: [target] }, (request) => {
    const { headers = {}, method = "GET", body } = request;
    const answer = fetch(request.url, { headers, method, body: String(body) });
    answers.push(answer.then(({ status }) => status));
    return answer;
  });
  reporter.update({ sta: "p", bl: [8000], sf: "d" });
  reporter.recordEvent("ps");
  reporter.recordEvent("t", { bg: true });
  reporter.update({ ec: 27 as unknown as string[] }); // as dash.js 5.2 does at an error, whatever the type says
  reporter.recordEvent("e");
  reporter.update({ sta: "r" });
  reporter.recordEvent("ps");
  expect(await Promise.all(answers)).toEqual([204, 204]);
  expect(await stored()).toMatchObject([
    { e: "ps", bl: 8000 },
    { e: "t", bg: true },
    { e: "e", ec: "27" },
    { e: "ps", sta: "r" },
  ]);
  expect(await sessions()).toMatchObject([{ errors: 1, stalls: 1 }]);
});

test("a value that its key cannot have is left out and counted, and the rest of its line is stored", async () => {
  const { url, report, stored, sessions } = await collector();
  const wrong = ["sta=zz", "pt=-1", 'br=("much")', 'bl="much"', 'cid=""', "sf=x", "pr=1.1"];
  const keys = wrong.map((value) => value.split("=")[0] ?? "");
  const kept = LINE.split(",").filter((part) => !keys.includes(part.split("=")[0] ?? ""));
  expect((await report([...kept, ...wrong, "com.example-who=17", "rr=1"].join())).status).toBe(204);
  expect(await stored()).toMatchObject([
    { sn: 1, e: "t", mtp: 12300, pr: 1.1, sta: null, pt: null, br: null, bl: null },
  ]);
  expect(await sessions()).toMatchObject([{ sid: SID, cid: null }]);
  const told = (await (await fetch(`${url}/metrics`)).text()).match(
    /^nuwa_telemetry_cmcd_left_out_total.*/gm,
  );
  expect(told?.toSorted()).toEqual(
    ["bl", "br", "cid", "pt", "sf", "sta"].map((key) => `nuwa_telemetry_cmcd_left_out_total{key="${key}"} 1`),
  );
});

test.each([
  ["nothing", "\n", "has no event"],
  ["JSON", "{}", "line 1 is no dictionary"],
  ["an open list", `${LINE}\nbl=(8000;v`, "line 2 is no dictionary"],
  [
    "a line of no event's length",
    `${LINE},nor=("${"x".repeat(4096)}")`,
    "line 1 is longer than 4096 characters",
  ],
  ["no version", LINE.replace(",v=2", ""), "'v'"],
  ["another version", LINE.replace(",v=2", ",v=1"), "/v must be"],
  ["an event that is none", LINE.replace("e=t", "e=zz"), "/e must be"],
  ["no session", LINE.replace(`sid="${SID}",`, ""), "random UUID"],
  ["a session that is no UUID", LINE.replace(SID, "me' OR 1=1"), "random UUID"],
  ["no number", LINE.replace("sn=1,", ""), "'sn'"],
  ["no time", LINE.replace(`ts=${NOW_MS},`, ""), "ts"],
  ["a number beyond measure", LINE.replace("sn=1", "sn=999999999999"), "/sn must be <="],
  [
    "a time of another year",
    LINE.replace(`ts=${NOW_MS}`, "ts=1700000000000"),
    "days behind this server's clock",
  ],
  ["201 events", `${LINE}\n`.repeat(201), "200 are the most"],
  ["9 sessions", linesOf(9), "more than 8 sessions"],
])("%s is refused, and nothing is stored", async (_what, body, sentence) => {
  const { report, stored } = await collector();
  const answer = await report(body);
  const { error } = (await answer.json()) as { error: { reason: string } };
  expect([answer.status, error.reason]).toEqual([400, expect.stringContaining(sentence)]);
  expect(await stored()).toEqual([]);
});

test("other types, larger bodies and other pages are refused", async () => {
  const { report } = await collector();
  expect((await report(LINE, { "Content-Type": "text/plain" })).status).toBe(415);
  expect((await report("x".repeat(64 * 1024 + 1))).status).toBe(413);
  expect((await report(LINE, { ...HEADERS, "Content-Encoding": "gzip" })).status).toBe(415);
  expect((await report(LINE, { ...HEADERS, Origin: "https://elsewhere.example" })).status).toBe(403);
});
