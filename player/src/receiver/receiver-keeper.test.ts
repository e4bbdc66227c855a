import { beforeEach, describe, expect, it } from "vitest";
import type { NetworkEstimate } from "./network-estimate.ts";
import type { Receiver, ReceiverOptions } from "./receiver.ts";
import { RefusedSession, SessionLost } from "./receiver-errors.ts";
import { ReceiverKeeper, type SessionState } from "./receiver-keeper.ts";

class FakeReceiver implements Receiver {
  readonly ready: Promise<void>;
  readonly closed: Promise<RefusedSession | SessionLost | null>;
  readonly options: ReceiverOptions;
  isClosed = false;
  becomeReady: () => void = () => undefined;
  end: (error: RefusedSession | SessionLost | null) => void = () => undefined;

  constructor(options: ReceiverOptions) {
    this.options = options;
    let failReady: (reason: unknown) => void = () => undefined;
    this.ready = new Promise((resolve, reject) => {
      this.becomeReady = resolve;
      failReady = reject;
    });
    this.closed = new Promise((resolve) => {
      this.end = (error) => {
        failReady(error);
        resolve(error);
      };
    });
  }

  request(): never {
    throw new Error("not used here");
  }

  estimate(): null {
    return null;
  }

  records(): [] {
    return [];
  }

  close(): void {
    this.isClosed = true;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
  }
}

const parameters = { scheme: "nuwa", preset: "on-demand", targetDelayMs: 40, rhoMs: 20, k: 7 };
const lost = new SessionLost("the session broke off", true);

let opened: FakeReceiver[];
let states: SessionState["kind"][];
let timers: { callback: () => void; delayMs: number }[];
let certificate: string;
let keeper: ReceiverKeeper;

function newest(): FakeReceiver {
  const receiver = opened.at(-1);
  if (receiver === undefined) {
    throw new Error("no session was opened");
  }
  return receiver;
}

async function runTimer(): Promise<number> {
  const timer = timers.shift();
  timer?.callback();
  await settle();
  return timer?.delayMs ?? Number.NaN;
}

beforeEach(async () => {
  opened = [];
  states = [];
  timers = [];
  certificate = "first";
  keeper = new ReceiverKeeper({
    address: () => Promise.resolve({ serverUrl: "https://127.0.0.1:4433", certificateHashes: [certificate] }),
    parameters,
    onEstimate: () => undefined,
    onState: ({ kind }) => states.push(kind),
    setTimer: (callback, delayMs) => {
      timers.push({ callback, delayMs });
      return () => {
        timers = [];
      };
    },
    open: (options) => {
      const receiver = new FakeReceiver(options);
      opened.push(receiver);
      return receiver;
    },
  });
  await settle();
});

describe("keeping a session open", () => {
  it("gives the receiver to whoever waits once it is open", async () => {
    const waiting = keeper.current();
    newest().becomeReady();
    expect(await waiting).toBe(newest());
    expect(await keeper.current()).toBe(newest());
    expect(states).toEqual(["opening", "open"]);
  });

  it("opens another when one is lost, with the certificate of then", async () => {
    newest().becomeReady();
    await settle();
    certificate = "second";
    newest().end(lost);
    await settle();
    const waiting = keeper.current();
    await runTimer();
    newest().becomeReady();
    expect(await waiting).toBe(opened[1]);
    expect(opened[1]?.options.certificateHashes).toEqual(["second"]);
    expect(states).toEqual(["opening", "open", "lost", "opening", "open"]);
  });

  it("waits longer from try to try, and briefly again after a success", async () => {
    const delays: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      newest().end(lost);
      await settle();
      delays.push(await runTimer());
    }
    newest().becomeReady();
    await settle();
    newest().end(lost);
    await settle();
    delays.push(await runTimer());
    expect(delays).toEqual([250, 1000, 2000, 5000, 5000, 250]);
  });

  it("gives up when the session is refused, with the server's reason", async () => {
    const waiting = keeper.current();
    waiting.catch(() => undefined);
    newest().end(new RefusedSession(2, "unknown scheme bbr"));
    await expect(waiting).rejects.toThrow("unknown scheme bbr");
    await expect(keeper.current()).rejects.toBeInstanceOf(RefusedSession);
    expect(timers).toEqual([]);
    expect(states).toEqual(["opening", "refused"]);
  });

  it("opens none after close", async () => {
    newest().becomeReady();
    await settle();
    keeper.close();
    newest().end(null);
    await settle();
    expect(newest().isClosed).toBe(true);
    expect(timers).toEqual([]);
    await expect(keeper.current()).rejects.toBeInstanceOf(SessionLost);
  });
});

describe("a silent session", () => {
  function silentFor(silenceSeconds: number): NetworkEstimate {
    return { silenceSeconds } as NetworkEstimate;
  }

  beforeEach(async () => {
    newest().becomeReady();
    await settle();
  });

  it("is left when the server has another certificate by now", async () => {
    certificate = "second";
    newest().options.onEstimate?.(silentFor(3.1));
    await settle();
    expect(opened[0]?.isClosed).toBe(true);
    await runTimer();
    expect(opened[1]?.options.certificateHashes).toEqual(["second"]);
  });

  it.each([
    ["the server is the same", 3.1, "first"],
    ["the silence is short", 2.9, "second"],
  ])("is kept while %s", async (_name, silenceSeconds, present) => {
    certificate = present;
    newest().options.onEstimate?.(silentFor(silenceSeconds));
    await settle();
    expect(opened[0]?.isClosed).toBe(false);
    expect(states).toEqual(["opening", "open"]);
  });
});
