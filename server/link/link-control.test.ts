import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { ServiceError } from "../service-process.ts";
import { TICK_MS } from "../silence.ts";
import { manualTicker } from "../testdata/manual-ticker.ts";
import { LinkControl } from "./link-control.ts";

const FAKE = fileURLToPath(new URL("../testdata/fake-relay.mjs", import.meta.url));
const TRANSPORT = { host: "127.0.0.1", port: 4433, certificateHashes: ["aGFzaA=="] };
const LTE = { name: "lte-like", delayMs: 20, queuePackets: 300, lossRatio: 0 };
const soon = { timeout: 10_000, interval: 1 };

function fakeLink({ program = process.execPath, isForEach = false, willStart = false } = {}) {
  const lines: string[] = [];
  const logged: string[] = [];
  const time = manualTicker();
  const link = new LinkControl({
    relay: {
      program,
      args: [FAKE],
      cwd: process.cwd(),
      readyTimeoutMs: 20_000,
      onLogLine: (line) => lines.push(line),
    },
    host: "127.0.0.1",
    ports: [0, 0],
    isForEach,
    willStart,
    choices: [
      { name: "none", title: "No emulated link", summary: "s" },
      { name: "lte-like", title: "LTE", summary: "s" },
    ],
    defaults: { delayMs: 20, queuePackets: 300, lossRatio: 0 },
    log: createLog(
      "debug",
      (line) => logged.push(line),
      (level) => `${level}: `,
    ),
    signal: new AbortController().signal,
    ticker: time.ticker,
  });
  onTestFinished(() => link.stop());
  link.useUpstream(TRANSPORT);
  const processes = () =>
    lines.flatMap((line) => (line.includes("process ") ? [Number(/process (\d+)/.exec(line)?.[1])] : []));
  return { link, lines, logged, processes, time };
}

test("nothing runs and sessions go straight on until a link is asked for", async () => {
  const { link, processes } = fakeLink();
  await link.change({ ...LTE, name: "none" });
  expect([link.route, link.state, processes()]).toEqual([{ kind: "direct" }, null, []]);
});

test("where the server begins with a link no session goes straight on before it is there", async () => {
  const { link } = fakeLink({ willStart: true });
  expect([link.isAwaited, link.route]).toEqual([true, { kind: "away" }]);
  await link.start(LTE);
  expect([link.isAwaited, link.route.kind, link.state?.name]).toEqual([false, "relay", "lte-like"]);
});

test("who wants no link before the server's first one is there is not told that there is none", async () => {
  const { link } = fakeLink({ willStart: true });
  const none = { ...LTE, name: "none" };
  await expect(link.change(none)).rejects.toMatchObject({ status: 503 });
  const started = link.start(LTE);
  await link.change(none);
  await started;
  expect([link.isAwaited, link.route.kind, link.state]).toEqual([false, "relay", null]);
});

test("the first request starts a relay with two lanes, and the link is told", async () => {
  const { link, lines } = fakeLink();
  await link.change({ name: "lte-like", delayMs: 5, queuePackets: 50, lossRatio: 0.01 });
  expect(link.state).toEqual({
    name: "lte-like",
    title: "Title of lte-like",
    delayMs: 5,
    queuePackets: 50,
    queueBytes: null,
    lossRatio: 0.01,
    startedAtMs: 1_800_000_000_000,
    capacity: { binMs: 500, periodMs: 1000, bitsPerSecond: [5e6, 6e6] },
  });
  expect(link.route).toMatchObject({ kind: "relay", lanes: [{ host: "127.0.0.1" }, { host: "127.0.0.1" }] });
  expect(lines[0]).toContain(
    "relay --upstream 127.0.0.1:4433 --host 127.0.0.1 --port 0 --port 0 --link none --control",
  );
});

test("each session may have a lane alone, and whoever asks is told", async () => {
  const shared = fakeLink();
  await shared.link.change(LTE);
  const own = fakeLink({ isForEach: true });
  await own.link.change(LTE);
  expect([shared.link.isForEach, own.link.isForEach]).toEqual([false, true]);
  expect(shared.lines[0]).not.toContain("--for-each");
  expect(own.lines[0]).toContain("--for-each");
});

test("later requests change the running relay, and none lets everything pass through it", async () => {
  const { link, lines, processes } = fakeLink();
  await link.change(LTE);
  const { route } = link;
  await Promise.all([link.change({ ...LTE, name: "24mbit" }), link.change({ ...LTE, name: "12mbit" })]);
  expect(link.state?.name).toBe("12mbit");
  await link.change({ ...LTE, name: "none" });
  expect([link.state, link.route, processes().length]).toEqual([null, route, 1]);
  // without the delay and the queue that a request leaves to the server
  await vi.waitFor(() => expect(lines.at(-1)).toContain('{"command":"link","link":{"name":"none"}}'), soon);
});

test("a link that is unknown starts nothing, and one that the relay refuses leaves the former", async () => {
  const { link, processes } = fakeLink();
  await expect(link.change({ ...LTE, name: "moon" })).rejects.toThrow(
    'unknown link "moon": choose one of none, lte-like, or a rate such as 24mbit',
  );
  expect(processes()).toEqual([]);
  await link.change(LTE);
  await expect(link.change({ ...LTE, name: "1kbit" })).rejects.toThrow("1kbit is too slow");
  expect(link.state?.name).toBe("lte-like");
});

test("a relay that dies is away for a moment, then back at the same ports with the same link", async () => {
  const { link, lines, processes } = fakeLink();
  await link.change({ ...LTE, lossRatio: 0.02 });
  const before = link.route;
  process.kill(processes()[0] ?? Number.NaN, "SIGKILL");
  await vi.waitUntil(() => link.route.kind === "away", soon);
  await expect(link.change(LTE)).rejects.toThrow("the emulated link is being started again");
  await vi.waitUntil(() => link.route.kind === "relay", soon);
  expect(link.route).toEqual(before);
  expect(link.state).toMatchObject({ name: "lte-like", lossRatio: 0.02 });
  expect(lines.findLast((line) => line.includes("process "))).toContain("--link lte-like");
});

test("ports that somebody has taken meanwhile are replaced", async () => {
  const { link, processes } = fakeLink();
  await link.change(LTE);
  const before = link.route;
  if (before.kind !== "relay") throw new Error(`the link is ${before.kind}`);
  vi.stubEnv("FAKE_TAKEN_PORT", String(before.lanes[0].port));
  onTestFinished(() => void vi.unstubAllEnvs());
  process.kill(processes()[0] ?? Number.NaN, "SIGKILL");
  await vi.waitUntil(() => processes().length === 3 && link.route.kind === "relay", soon);
  expect(link.route).not.toEqual(before);
});

test("a relay that answers its probes lives; one that stands still is ended and started anew", async () => {
  const { link, lines, processes, time } = fakeLink();
  await link.change(LTE);
  const [first = Number.NaN] = processes();
  process.kill(first, "SIGSTOP");
  time.pass(1_500 + TICK_MS);
  expect(link.route).toEqual({ kind: "away" });
  process.kill(first, "SIGCONT");
  await vi.waitUntil(() => link.route.kind === "relay", soon);
  expect(processes()).toHaveLength(1);
  process.kill(first, "SIGSTOP");
  time.pass(5_000 + TICK_MS);
  await vi.waitUntil(() => processes().length === 2 && link.route.kind === "relay", soon);
  expect(lines.filter((line) => line.includes("process "))).toHaveLength(2);
});

test("the relay learns where the transport is after its restart", async () => {
  const { link, lines } = fakeLink();
  await link.change(LTE);
  link.useUpstream({ ...TRANSPORT, host: "0.0.0.0", port: 5544 });
  await vi.waitUntil(
    () => lines.at(-1)?.includes('{"command":"upstream","host":"127.0.0.1","port":5544}'),
    soon,
  );
});

test("a page that asks while the first relay starts has the link, and there is one relay", async () => {
  const { link, processes } = fakeLink();
  await Promise.all([link.start(LTE), link.change({ ...LTE, name: "24mbit" })]);
  expect([link.state?.name, processes().length]).toEqual(["24mbit", 1]);
  const other = fakeLink();
  await Promise.all([other.link.change({ ...LTE, name: "24mbit" }), other.link.start(LTE)]);
  expect([other.link.state?.name, other.processes().length]).toEqual(["24mbit", 1]);
});

test("nothing runs once it is stopped, whatever was asked for meanwhile", async () => {
  const { link, processes } = fakeLink();
  const change = link.change(LTE);
  await Promise.all([expect(change).rejects.toThrow("the web server is stopping"), link.stop()]);
  expect(processes()).toEqual([]);
});

test.each([
  [0, []],
  [
    3,
    [
      "warn: the relay lost 3 datagrams beside its link, which came faster than it read them: is the machine busy?\n",
    ],
  ],
])("the log has what the relay lost beside its link, here %d datagrams", async (missed, warnings) => {
  vi.stubEnv("FAKE_MISSED", String(missed));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { link, logged } = fakeLink();
  await link.change(LTE);
  await link.stop();
  expect(logged.filter((line) => line.startsWith("warn"))).toEqual(warnings);
});

test("a link from the command line is there from the start; a relay that cannot start is told", async () => {
  const { link, lines } = fakeLink();
  await link.start({ ...LTE, name: "/traces/of mine.down" });
  expect(link.state?.name).toBe("/traces/of mine.down");
  expect(lines[0]).toContain("--link /traces/of mine.down");
  const broken = fakeLink({ program: "/nonexistent/python" }).link;
  await expect(broken.start(LTE)).rejects.toThrow(ServiceError);
  await expect(broken.change(LTE)).rejects.toThrow("the relay could not be run");
  expect(broken.route).toEqual({ kind: "direct" });
});
