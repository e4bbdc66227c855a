import { expect, test } from "vitest";
import { SID, sampleBatch, sampleEvent, startSampleTelemetry } from "../sample-telemetry.ts";

test("a session is summed up: startup, stalls, switches, bitrate, and what is missing of it", async () => {
  const { send, get } = await startSampleTelemetry();
  const events = [
    sampleEvent(0, { e: "ps", sta: "s", "nuwa-scheme": "nuwa", "nuwa-rule": "nuwa" }),
    sampleEvent(1, { e: "bc", br: 1000 }),
    sampleEvent(2, { e: "ps", sta: "p", msd: 640 }),
    sampleEvent(3, { pb: 1000, "nuwa-bw": 4000, "nuwa-qd": 10, "nuwa-dr": 1, "nuwa-path": "webtransport" }),
    sampleEvent(4, { e: "bc", br: 3000 }),
    sampleEvent(5, { e: "ps", sta: "r" }),
    sampleEvent(6, { e: "ps", sta: "p", bsd: 1500 }),
    sampleEvent(9, {
      pb: 3000,
      "nuwa-bw": 6000,
      "nuwa-qd": 21,
      "nuwa-dr": 1,
      "nuwa-path": "http",
      pt: 20_000,
    }),
    sampleEvent(10, { e: "e", ec: "27" }),
  ];
  await send(sampleBatch(events, { dropped: 1 }));
  expect(await (await get("/api/telemetry/sessions")).json()).toEqual({
    sessions: [
      {
        sid: SID,
        cid: "Sample",
        st: "v",
        startedAtMs: events[0]?.ts,
        endedAtMs: events.at(-1)?.ts,
        events: 9,
        generated: 11,
        dropped: 1,
        missing: 2,
        startupMs: 640,
        stalls: 1,
        stalledMs: 1500,
        switches: 1,
        switchedKbps: 2000,
        meanKbps: 2000,
        meanEstimateKbps: 5000,
        meanQueueingDelayMs: 15.5,
        playedUntilMs: 20_000,
        errors: 1,
        path: "http",
        scheme: "nuwa",
        preset: null,
        rule: "nuwa",
        estimator: null,
      },
    ],
  });
});

test("a live film whose clock began with the epoch is told as live once its page knows it", async () => {
  const { send, get } = await startSampleTelemetry();
  const played = sampleEvent(1, { pt: 1_795_818_473_484 });
  await send(sampleBatch([sampleEvent(0)], { dropped: 3 }));
  expect((await send(sampleBatch([played], { st: "l" }))).status).toBe(200);
  const { sessions } = (await (await get("/api/telemetry/sessions")).json()) as { sessions: object[] };
  expect(sessions).toMatchObject([{ st: "l", dropped: 3, playedUntilMs: 1_795_818_473_484 }]);
});

test("a list of some time has the sessions that have events in it, each as a whole", async () => {
  const { send, get } = await startSampleTelemetry();
  const events = Array.from({ length: 10 }, (_, sn) => sampleEvent(sn));
  await send(sampleBatch(events));
  const listed = async (query: string) =>
    ((await (await get(`/api/telemetry/sessions?${query}`)).json()) as { sessions: object[] }).sessions;
  const [first, middle, last] = [0, 5, 9].map((place) => Number(events[place]?.ts));
  const whole = [{ events: 10, generated: 10, missing: 0, startedAtMs: first, endedAtMs: last }];
  expect(await listed(`fromMs=${middle}`)).toMatchObject(whole);
  expect(await listed(`fromMs=${last}&toMs=${Number(last) + 1}`)).toMatchObject(whole);
  expect(await listed(`toMs=${Number(first) + 1}`)).toMatchObject(whole);
  expect(await listed(`toMs=${first}`)).toEqual([]);
  expect(await listed(`fromMs=${Number(last) + 1}`)).toEqual([]);
});

test("no session is an empty list", async () => {
  const { get } = await startSampleTelemetry();
  expect(await (await get("/api/telemetry/sessions")).json()).toEqual({ sessions: [] });
});

test("a session is erased by pages of this server, for good and all that is kept of it", async () => {
  const { send, get, url } = await startSampleTelemetry();
  await send(sampleBatch([sampleEvent(0)]));
  const erase = async (sid: string, headers: Readonly<Record<string, string>> = { Origin: url }) =>
    (await fetch(`${url}/api/telemetry/sessions/${sid}`, { method: "DELETE", headers })).status;
  expect(await erase(SID, {})).toBe(403);
  expect(await erase(SID, { Origin: "https://elsewhere.example" })).toBe(403);
  expect(await erase("x")).toBe(400);
  expect(await erase("0b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11")).toBe(404);
  expect(await (await get("/api/telemetry/events.json")).json()).toHaveLength(1);
  expect(await erase(SID)).toBe(204);
  expect(await (await get("/api/telemetry/events.json")).json()).toEqual([]);
  expect(await (await get("/api/telemetry/sessions")).json()).toEqual({ sessions: [] });
});
