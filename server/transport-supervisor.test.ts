import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "./log.ts";
import { parseMessage } from "./service-process.ts";
import { TICK_MS, type Ticker } from "./silence.ts";
import { isRunning } from "./testdata/is-running.ts";
import { manualTicker } from "./testdata/manual-ticker.ts";
import { parseTransportReady, TransportSupervisor } from "./transport-supervisor.ts";

const FAKE = fileURLToPath(new URL("testdata/fake-transport.mjs", import.meta.url));
const never = new AbortController().signal;

function superviseFake(behaviour: string, ticker?: Ticker) {
  const moves: number[] = [];
  const logLines: string[] = [];
  const processes: number[] = [];
  const onRestart = vi.fn();
  const supervisor = new TransportSupervisor({
    command: {
      name: "media server",
      program: process.execPath,
      args: [FAKE, behaviour],
      cwd: process.cwd(),
      readyTimeoutMs: 20_000,
      onLogLine: (line) => processes.push(Number(/process (\d+)/.exec(line)?.[1])),
    },
    log: createLog("debug", (line) => logLines.push(line)),
    onMove: ({ port }) => moves.push(port),
    onRestart,
    ...(ticker === undefined ? {} : { ticker }),
  });
  onTestFinished(() => supervisor.stop());
  return { supervisor, logLines, processes, moves, onRestart };
}

const soon = { timeout: 10_000, interval: 1 };

test("a transport that is killed is back within 2 s, under its new address", {
  timeout: 20_000,
}, async () => {
  const { supervisor, logLines, processes, onRestart } = superviseFake("ready");
  await supervisor.start(never);
  expect(onRestart).not.toHaveBeenCalled();
  for (const round of [1, 2]) {
    const before = supervisor.info;
    const killedAtMs = performance.now();
    process.kill(processes.at(-1) ?? Number.NaN, "SIGKILL");
    await vi.waitUntil(() => supervisor.info !== null && supervisor.info !== before, soon);
    expect(performance.now() - killedAtMs, `restart ${round}`).toBeLessThan(2_000);
    expect(supervisor.info?.port).toBe((processes.at(-1) ?? 0) % 65536);
  }
  expect(onRestart).toHaveBeenCalledTimes(2);
  expect(logLines.join("")).toMatch(/the media server is at 127\.0\.0\.1:\d+\n/);
  expect(logLines.join("")).toContain("the media server was ended by SIGKILL; starting it again");
});

test("one that says that it is about to end has a successor before it has ended", {
  timeout: 20_000,
}, async () => {
  const { supervisor, logLines, processes } = superviseFake("leaving");
  await supervisor.start(never);
  const [first = Number.NaN] = processes;
  process.kill(first, "SIGUSR2");
  await vi.waitUntil(() => !supervisor.letsNewcomersIn, soon);
  process.kill(first, "SIGTERM");
  await vi.waitUntil(() => supervisor.info === null, soon);
  await vi.waitUntil(() => supervisor.info !== null, soon);
  expect(supervisor.info?.port).toBe((processes[1] ?? 0) % 65536);
  expect(supervisor.letsNewcomersIn).toBe(true);
  expect(isRunning(first)).toBe(true);
  for (const each of processes) process.kill(each, "SIGUSR1");
  await supervisor.stop();
  expect(processes.map(isRunning)).toEqual([false, false]);
  expect(logLines.join("")).toContain("the media server is about to end; starting it again");
});

test("a transport that falls silent is not announced after 1.5 s, and is again as soon as it speaks", async () => {
  const { ticker, pass } = manualTicker();
  const { supervisor, processes } = superviseFake("mute", ticker);
  await supervisor.start(never);
  const before = supervisor.info;
  expect(before).not.toBeNull();
  pass(1_500);
  expect(supervisor.info).toBe(before);
  pass(TICK_MS);
  expect(supervisor.info).toBeNull();
  process.kill(processes[0] ?? Number.NaN, "SIGUSR2");
  await vi.waitUntil(() => supervisor.info !== null, soon);
  expect(supervisor.info).toBe(before);
  pass(1_500);
  expect(supervisor.info).toBe(before);
  expect(processes).toHaveLength(1);
});

test("a transport that stays silent for 5 s is ended and started anew", { timeout: 20_000 }, async () => {
  const { ticker, pass } = manualTicker();
  const { supervisor, logLines, processes } = superviseFake("mute", ticker);
  await supervisor.start(never);
  process.kill(processes[0] ?? Number.NaN, "SIGSTOP"); // it could not end by itself if it wanted to
  pass(5_000);
  expect(processes).toHaveLength(1);
  pass(TICK_MS);
  await vi.waitUntil(() => supervisor.info !== null, soon);
  expect(supervisor.info?.port).toBe((processes[1] ?? 0) % 65536);
  expect(logLines.join("")).toContain("the media server said nothing for 5 s and was ended by SIGKILL");
});

test("a new certificate is announced while the transport goes on", async () => {
  const { supervisor, processes } = superviseFake("ready");
  await supervisor.start(never);
  expect(supervisor.info?.certificateHashes).toEqual(["aGFzaA=="]);
  process.kill(processes[0] ?? Number.NaN, "SIGUSR2");
  await vi.waitUntil(() => supervisor.info?.certificateHashes.length === 2, soon);
  expect(supervisor.info).toEqual({
    host: "127.0.0.1",
    port: (processes[0] ?? 0) % 65536,
    certificateHashes: ["bmV3", "aGFzaA=="],
  });
  expect(processes).toHaveLength(1);
});

test("of several workers one is kept for as long as it is there, and all are told of", async () => {
  const { supervisor, processes, moves } = superviseFake("workers");
  await supervisor.start(never);
  const second = { host: "127.0.0.1", port: 2, sessions: 0, certificateHashes: ["c2Vjb25k"] };
  expect(supervisor.info).toMatchObject({ port: 1, workers: [{ port: 1 }, second] });
  process.kill(processes[0] ?? Number.NaN, "SIGUSR2");
  await vi.waitUntil(() => supervisor.info?.port === 2 && supervisor.info.workers?.length === 2, soon);
  expect(supervisor.info).toMatchObject({
    ...second,
    workers: [{ certificateHashes: ["dGhpcmQ="] }, second],
  });
  expect(moves).toEqual([1, 2]);
  expect(processes).toHaveLength(1);
});

test("there is no address while the transport is away", { timeout: 20_000 }, async () => {
  const { supervisor, processes } = superviseFake("ready");
  await supervisor.start(never);
  process.kill(processes[0] ?? Number.NaN, "SIGKILL");
  await vi.waitUntil(() => supervisor.info === null, soon);
});

test("a transport that cannot start the first time is not tried again", async () => {
  const { supervisor, processes } = superviseFake("broken");
  await expect(supervisor.start(never)).rejects.toThrow("ended with exit code 2 before it was ready");
  expect(supervisor.info).toBeNull();
  expect(processes.filter((pid) => !Number.isNaN(pid))).toHaveLength(1);
});

test("stopping ends the process and starts no other", async () => {
  const { supervisor, processes } = superviseFake("ready");
  await supervisor.start(never);
  await supervisor.stop();
  expect(() => process.kill(processes[0] ?? Number.NaN, 0)).toThrow("ESRCH");
  expect(supervisor.info).toBeNull();
  expect(processes).toHaveLength(1);
});

test("stopping during the first start ends that", async () => {
  const { supervisor, processes } = superviseFake("silent");
  const starting = supervisor.start(never);
  const isRejected = expect(starting).rejects.toThrow("aborted");
  await vi.waitUntil(() => processes.length === 1, soon);
  await supervisor.stop();
  expect(processes.map(isRunning)).toEqual([false]);
  await isRejected;
  expect(supervisor.info).toBeNull();
});

test("stopping during a restart ends that, too", async () => {
  const { supervisor, processes, logLines } = superviseFake("ready");
  await supervisor.start(never);
  process.kill(processes[0] ?? Number.NaN, "SIGKILL");
  await vi.waitUntil(() => supervisor.info === null, soon);
  await supervisor.stop();
  expect(logLines.join(""), "Ctrl-C reaches both, and is no failure").not.toContain("starting it again");
  for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(supervisor.info).toBeNull();
});

test.each([
  ["another event", '{"event":"log","host":"127.0.0.1","port":1,"certificate_sha256":[]}'],
  ["no port", '{"event":"ready","host":"127.0.0.1","certificate_sha256":[]}'],
  ["hashes that are not text", '{"event":"ready","host":"127.0.0.1","port":1,"certificate_sha256":[1]}'],
])("%s is not a ready line", (_what, line) => {
  expect(parseTransportReady(parseMessage(line) ?? {})).toBeNull();
});
