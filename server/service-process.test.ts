import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  type Message,
  parseMessage,
  type ServiceCommand,
  ServiceError,
  startService,
} from "./service-process.ts";

const FAKE = fileURLToPath(new URL("testdata/fake-transport.mjs", import.meta.url));
const LAUNCHER = fileURLToPath(new URL("testdata/launcher.ts", import.meta.url));
const never = new AbortController().signal;

function fakeTransport(behaviour: string, more: Partial<ServiceCommand> = {}): ServiceCommand {
  return {
    name: "media server",
    program: process.execPath,
    args: [FAKE, behaviour],
    cwd: process.cwd(),
    readyTimeoutMs: 20_000,
    onLogLine: () => undefined,
    ...more,
  };
}

interface Wishes {
  readonly signal?: AbortSignal;
  readonly onMessage?: (message: Message) => void;
}

function start(command: ServiceCommand, { signal = never, onMessage = () => undefined }: Wishes = {}) {
  return startService({
    command,
    parseReady: (message) => (message.event === "ready" ? message : null),
    onMessage,
    signal,
  });
}

test("what it is to know beside the command line is in its environment, with that of this process", async () => {
  const lines: string[] = [];
  const env = { NUWA_RESET_KEY: "00ff" };
  const service = await start(fakeTransport("ready", { env, onLogLine: (line) => lines.push(line) }));
  await service.stop();
  expect(lines).toContain("info reset key 00ff");
});

/** The process that a log line of the fake names. */
function processIn(line: string): number {
  return Number(/process (\d+)/.exec(line)?.[1]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

test("a transport is running once it has said where, and gone once it was stopped", async () => {
  const lines: string[] = [];
  const command = fakeTransport("ready", { onLogLine: (line) => lines.push(line) });
  const running = await start(command);
  const pid = processIn(lines[0] ?? "");
  expect(running.ready).toMatchObject({ event: "ready", port: pid % 65536 });
  expect(isAlive(pid)).toBe(true);
  await running.stop();
  expect(isAlive(pid)).toBe(false);
  expect(await running.ended).toBe("ended with exit code 0");
});

test("a transport that refuses to end is made to", { timeout: 20_000 }, async () => {
  const running = await start(fakeTransport("stubborn"));
  await running.stop();
  expect(await running.ended).toBe("was ended by SIGKILL");
});

test.each([
  [
    "broken",
    "the media server ended with exit code 2 before it was ready; its last words were: error no such directory",
  ],
  ["chatty", "the media server wrote something else than its ready line (hello)"],
])("one that is %s is told in a sentence with its last words", async (behaviour, sentence) => {
  await expect(start(fakeTransport(behaviour))).rejects.toThrow(sentence);
});

test("one that never says that it is ready is given up and leaves no process", async () => {
  const lines: string[] = [];
  const command = fakeTransport("silent", { readyTimeoutMs: 500, onLogLine: (line) => lines.push(line) });
  await expect(start(command)).rejects.toThrow("the media server did not say that it is ready within 0.5 s");
  if (lines[0] !== undefined) expect(isAlive(processIn(lines[0]))).toBe(false);
});

test("what the system refuses to run is told in a sentence, too", async () => {
  const command = fakeTransport("ready", { args: ["x".repeat(2 ** 22)] }); // Linux takes 128 KiB
  await expect(start(command)).rejects.toThrow(
    new ServiceError("the media server could not be run (spawn E2BIG)"),
  );
});

test("a program that does not exist is told in a sentence", async () => {
  const command = fakeTransport("ready", { program: "/nonexistent/python" });
  await expect(start(command)).rejects.toThrow(
    "the media server could not be run (spawn /nonexistent/python ENOENT) before it was ready",
  );
});

test("an abort ends the wait and the process", async () => {
  const controller = new AbortController();
  const lines: string[] = [];
  const command = fakeTransport("silent", {
    onLogLine: (line) => {
      lines.push(line);
      controller.abort(new Error("enough"));
    },
  });
  await expect(start(command, { signal: controller.signal })).rejects.toThrow("enough");
  expect(isAlive(processIn(lines[0] ?? ""))).toBe(false);
});

test("the transport ends with its parent, even one that is killed outright", {
  timeout: 20_000,
}, async () => {
  const parent = spawn(process.execPath, ["--import", "tsx", LAUNCHER], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const lines: string[] = [];
  for await (const line of createInterface({ input: parent.stdout })) {
    lines.push(line);
    if (line === "ready") break;
  }
  const pid = processIn(lines[0] ?? "");
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await vi.waitUntil(() => !isAlive(pid), { timeout: 10_000 });
});

test("one that dies has ended, though a worker of its own hangs and holds its pipes", async () => {
  const lines: string[] = [];
  const running = await start(fakeTransport("with a worker", { onLogLine: (line) => lines.push(line) }));
  const worker = () => /worker (\d+)/.exec(lines.join("\n"))?.[1];
  await vi.waitUntil(() => worker() !== undefined, { timeout: 10_000, interval: 1 });
  onTestFinished(() => void process.kill(Number(worker()), "SIGKILL"));
  running.kill();
  expect(await running.ended).toBe("was ended by SIGKILL");
  await running.stop();
  expect(isAlive(Number(worker()))).toBe(true);
});

test("what a service says later is handed on, message by message", async () => {
  const heard: Message[] = [];
  const running = await start(fakeTransport("ready"), { onMessage: (message) => heard.push(message) });
  await vi.waitUntil(() => heard.length >= 2, { timeout: 10_000, interval: 10 });
  expect(heard.slice(0, 2)).toEqual([{ event: "beat" }, { event: "beat" }]);
  await running.stop();
});

test.each(["ready", "null", "7", "[1]", '"text"', ""])("%j is not a message", (line) => {
  expect(parseMessage(line)).toBeNull();
});
