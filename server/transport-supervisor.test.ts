import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "./log.ts";
import { type RenewalClock, TransportSupervisor } from "./transport-supervisor.ts";

const FAKE = fileURLToPath(new URL("testdata/fake-transport.mjs", import.meta.url));
const never = new AbortController().signal;

function superviseFake(behaviour: string, renewal?: RenewalClock) {
  const logLines: string[] = [];
  const processes: number[] = [];
  const supervisor = new TransportSupervisor(
    {
      program: process.execPath,
      args: [FAKE, behaviour],
      cwd: process.cwd(),
      readyTimeoutMs: 20_000,
      onLogLine: (line) => processes.push(Number(/process (\d+)/.exec(line)?.[1])),
    },
    createLog("debug", (line) => logLines.push(line)),
    renewal,
  );
  onTestFinished(() => supervisor.stop());
  return { supervisor, logLines, processes };
}

test("a transport that is killed is back within 2 s, under its new address", {
  timeout: 20_000,
}, async () => {
  const { supervisor, logLines, processes } = superviseFake("ready");
  await supervisor.start(never);
  for (const round of [1, 2]) {
    const before = supervisor.info;
    const killedAtMs = performance.now();
    process.kill(processes.at(-1) ?? Number.NaN, "SIGKILL");
    await vi.waitUntil(() => supervisor.info !== null && supervisor.info !== before, {
      timeout: 10_000,
      interval: 10,
    });
    expect(performance.now() - killedAtMs, `restart ${round}`).toBeLessThan(2_000);
    expect(supervisor.info?.port).toBe((processes.at(-1) ?? 0) % 65536);
  }
  expect(logLines[0]).toContain("the transport was ended by SIGKILL; starting it again");
});

test("a transport is replaced a day before its certificate ends, and not sooner", {
  timeout: 20_000,
}, async () => {
  const endMs = Date.UTC(2030, 0, 1); // as the fake says
  const dayMs = 86_400_000;
  let nowMs = endMs - dayMs - 1;
  let looks = 0;
  const clock = () => {
    looks += 1;
    return nowMs;
  };
  const { supervisor, logLines, processes } = superviseFake("ready", { nowMs: clock, checkIntervalMs: 5 });
  await supervisor.start(never);
  await vi.waitUntil(() => looks > 3, { timeout: 10_000 });
  expect(processes).toHaveLength(1);
  nowMs = endMs - dayMs;
  await vi.waitUntil(() => supervisor.info === null, { timeout: 10_000, interval: 1 });
  nowMs = 0;
  await vi.waitUntil(() => supervisor.info !== null, { timeout: 10_000, interval: 1 });
  expect(processes).toHaveLength(2);
  expect(supervisor.info?.port).toBe((processes[1] ?? 0) % 65536);
  expect(logLines.filter((line) => line.includes(" error "))).toEqual([]);
  expect(logLines[0]).toContain("certificate ends at 2030-01-01T00:00:00.000Z");
});

test("there is no address while the transport is away", { timeout: 20_000 }, async () => {
  const { supervisor, processes } = superviseFake("ready");
  await supervisor.start(never);
  process.kill(processes[0] ?? Number.NaN, "SIGKILL");
  await vi.waitUntil(() => supervisor.info === null, { timeout: 10_000, interval: 1 });
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

test("stopping during a restart ends that, too", async () => {
  const { supervisor, processes } = superviseFake("ready");
  await supervisor.start(never);
  process.kill(processes[0] ?? Number.NaN, "SIGKILL");
  await vi.waitUntil(() => supervisor.info === null, { timeout: 10_000, interval: 1 });
  await supervisor.stop();
  for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(supervisor.info).toBeNull();
});
