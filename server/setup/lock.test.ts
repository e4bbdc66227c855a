import { spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { processSpace } from "../../media/process-life.mjs";
import { temporaryFolder } from "../sample-app.ts";
import { BEAT_MS, lockState, withLock } from "./lock.mjs";

const MINUTE_S = 60;

let path = "";
beforeEach(() => {
  path = join(temporaryFolder(), "setup", "lock");
});

const quietly = { signal: new AbortController().signal, onWait: () => undefined };

/** A process that has been and gone. */
function deadProcess(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

function makeOld(file: string): void {
  const aMinuteAgoS = Date.now() / 1000 - MINUTE_S;
  utimesSync(file, aMinuteAgoS, aMinuteAgoS);
}

test("two holders never overlap, and the one that waits is told of the other", async () => {
  const events: string[] = [];
  const gate = new EventEmitter();
  const first = withLock(path, quietly, async () => {
    await once(gate, "open");
    events.push("first ends");
  });
  const onWait = (pid: number) => {
    events.push(pid === process.pid ? "second waits" : `second waits for ${pid}`);
    gate.emit("open");
  };
  await withLock(path, { ...quietly, onWait }, async () => {
    events.push("second begins");
  });
  await first;
  expect(events).toEqual(["second waits", "first ends", "second begins"]);
  expect(existsSync(path)).toBe(false);
});

test("a failure gives the lock back", async () => {
  const failing = withLock(path, quietly, async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(lockState(path)).toMatchObject({ state: "free" });
});

test("a dead holder's lock is taken over, by one at a time", async () => {
  await withLock(path, quietly, async () => undefined); // makes the folder
  writeFileSync(path, String(deadProcess()));
  expect(lockState(path)).toMatchObject({ state: "stale" });
  let holders = 0;
  let mostHolders = 0;
  const hold = () =>
    withLock(path, quietly, async () => {
      holders += 1;
      mostHolders = Math.max(mostHolders, holders);
      await new Promise(setImmediate);
      holders -= 1;
    });
  await Promise.all([hold(), hold(), hold()]);
  expect(mostHolders).toBe(1);
});

test.runIf(process.platform === "linux")(
  "a lock that was signed by another process of the same number is stale, as after a container's end",
  async () => {
    await withLock(path, quietly, async () => {
      writeFileSync(path, `${process.pid} 1`);
      expect(lockState(path)).toMatchObject({ state: "stale" });
      writeFileSync(path, String(process.pid));
      expect(lockState(path)).toMatchObject({ state: "held" });
    });
  },
);

test("a lock of another machine or container is held while its holder touches it, whoever has its number here", async () => {
  await withLock(path, quietly, async () => {
    const ofThisHostsName = processSpace().replace(/\+\d+$/, "+5");
    for (const space of ["elsewhere", ...(process.platform === "linux" ? [ofThisHostsName] : [])]) {
      for (const pid of [deadProcess(), process.pid]) {
        writeFileSync(path, `${pid} 1 ${space}`);
        expect(lockState(path)).toEqual({ state: "held", pid, space });
        makeOld(path);
        expect(lockState(path)).toMatchObject({ state: "stale", pid: 0 });
      }
    }
  });
});

test("a holder touches its lock until it gives it back", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await withLock(path, quietly, async () => {
    makeOld(path);
    vi.advanceTimersByTime(BEAT_MS);
    expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - MINUTE_S * 500);
    const [pid, , space] = readFileSync(path, "utf8").split(" ");
    expect([pid, space]).toEqual([`${process.pid}`, processSpace()]);
    rmSync(path); // it ends no work that somebody has removed it
    vi.advanceTimersByTime(BEAT_MS);
  });
  expect(vi.getTimerCount()).toBe(0);
});

test("a folder in which no lock can be made is named in one sentence", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const readOnly = process.platform === "linux" ? ["/sys/kernel"] : []; // to root, too
  for (const folder of [file, join(file, "deeper"), ...readOnly])
    await expect(withLock(join(folder, "lock"), quietly, async () => undefined)).rejects.toThrow(
      new RegExp(`^the folder ${folder} cannot be written \\(E[A-Z]+\\): see to its owner`),
    );
});

test("a lock from before the machine's start is stale, whoever has its number now", async () => {
  await withLock(path, quietly, async () => {
    utimesSync(path, 0, 0);
    expect(lockState(path)).toMatchObject({ state: "stale" });
  });
});

test("a lock whose holder has not signed yet is not taken over", async () => {
  await withLock(path, quietly, async () => {
    writeFileSync(path, "");
    expect(lockState(path)).toMatchObject({ state: "held", pid: 0 });
    makeOld(path);
    expect(lockState(path)).toMatchObject({ state: "stale" });
  });
});

test("an abort ends the wait", async () => {
  const controller = new AbortController();
  await withLock(path, quietly, async () => {
    const onWait = () => controller.abort(new Error("enough"));
    const waiting = withLock(path, { signal: controller.signal, onWait }, async () => undefined);
    await expect(waiting).rejects.toThrow("enough");
  });
});
