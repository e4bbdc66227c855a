import { beforeEach, describe, expect, it } from "vitest";
import { type ServerAddress, ServerAway } from "./server-address.ts";
import { RefusedSession, SessionIdle, SessionLost } from "./session-errors.ts";
import { type OpeningOptions, SessionKeeper } from "./session-keeper.ts";
import type { SessionState } from "./session-state.ts";
import type { WorkerSession } from "./worker-session.ts";

class FakeSession implements WorkerSession {
  readonly ready: Promise<void>;
  readonly closed: Promise<RefusedSession | SessionLost | null>;
  readonly options: OpeningOptions;
  isClosed = false;
  probes = 0;
  becomeReady: () => void = () => undefined;
  end: (error: RefusedSession | SessionLost | null) => void = () => undefined;

  constructor(options: OpeningOptions) {
    this.options = options;
    let failReady: (reason: unknown) => void = () => undefined;
    this.ready = new Promise((resolve, reject) => {
      this.becomeReady = resolve;
      failReady = reject;
    });
    this.ready.catch(() => undefined);
    this.closed = new Promise((resolve) => {
      this.end = (error) => {
        failReady(error ?? new SessionLost("the session was closed", true));
        resolve(error);
      };
    });
  }

  request(): never {
    throw new Error("not used here");
  }

  tell(): void {}

  probe(): void {
    this.probes += 1;
  }

  close(): void {
    this.isClosed = true;
    this.end(null);
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) {
    await Promise.resolve();
  }
}

const parameters = {
  scheme: "nuwa",
  preset: "on-demand",
  targetDelayMs: 40,
  rhoMs: 20,
  k: 7,
  catchesUp: false,
  followsNeed: false,
  asInPaper: false,
};
const failedHandshake = new SessionLost("handshake failed", false);
const lost = new SessionLost("the session broke off", true);
const FIRST: ServerAddress = { serverUrl: "https://127.0.0.1:4433", certificateHashes: ["first"] };
const SECOND: ServerAddress = { ...FIRST, certificateHashes: ["second"] };

let opened: FakeSession[];
let openedAtMs: number[];
let states: SessionState[];
let timers: { callback: () => void; dueMs: number }[];
let nowMs: number;
/** What the page's server answers; "none": nothing at all. */
let answer: ServerAddress | null | Error | "none";
let askedAtMs: number[];
/** While it is there, that answer comes when it has resolved. */
let answers: Promise<void> | null;
/** Every handshake fails at once. */
let isFailing: boolean;
/** The page may not start a worker. */
let openingError: Error | null;
/** While it is there, the code of sessions is being fetched. */
let codeFetched: Promise<void> | null;
let keeper: SessionKeeper;

const kinds = (): string[] => states.map(({ kind }) => kind);

function newest(): FakeSession {
  const session = opened.at(-1);
  if (session === undefined) {
    throw new Error("no session was opened");
  }
  return session;
}

/** Lets time pass, timer by timer. */
async function pass(durationMs: number): Promise<void> {
  const endMs = nowMs + durationMs;
  for (;;) {
    await settle();
    const next = timers.toSorted((a, b) => a.dueMs - b.dueMs)[0];
    if (next === undefined || next.dueMs > endMs) {
      break;
    }
    timers = timers.filter((timer) => timer !== next);
    nowMs = next.dueMs;
    next.callback();
  }
  nowMs = endMs;
}

async function open(): Promise<void> {
  newest().becomeReady();
  await settle();
}

function setTimer(callback: () => void, delayMs: number): () => void {
  const timer = { callback, dueMs: nowMs + delayMs };
  timers.push(timer);
  return () => {
    timers = timers.filter((other) => other !== timer);
  };
}

function make(): SessionKeeper {
  return new SessionKeeper({
    address: async () => {
      askedAtMs.push(nowMs);
      await answers;
      if (answer === "none") {
        return new Promise(() => undefined);
      }
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    parameters,
    onState: (state) => states.push(state),
    setTimer,
    nowMs: () => nowMs,
    random: () => 0.5,
    open: async (options) => {
      await codeFetched;
      if (openingError !== null) {
        throw openingError;
      }
      const session = new FakeSession(options);
      opened.push(session);
      openedAtMs.push(nowMs);
      if (isFailing) {
        session.end(failedHandshake);
      }
      return session;
    },
  });
}

beforeEach(async () => {
  opened = [];
  openedAtMs = [];
  askedAtMs = [];
  states = [];
  timers = [];
  nowMs = 0;
  answer = FIRST;
  answers = null;
  isFailing = false;
  openingError = null;
  codeFetched = null;
  keeper = make();
  await settle();
});

describe("keeping a session open", () => {
  it("gives the session while it is open", async () => {
    expect(keeper.session()).toBeNull();
    await open();
    expect(keeper.session()).toBe(newest());
    newest().end(lost);
    await settle();
    expect(keeper.session()).toBeNull();
    expect(states.at(-1)).toEqual({ kind: "lost", error: lost });
  });

  it("opens another when one is lost", async () => {
    await open();
    await pass(20_000);
    newest().end(lost);
    await pass(250);
    await open();
    expect(openedAtMs).toEqual([0, 20_250]);
    expect(kinds().slice(-3)).toEqual(["open", "lost", "open"]);
  });

  it("tries after 0.25, 1, 2, 5, 10, 30, 60 s while handshakes fail, then once a minute", async () => {
    isFailing = true;
    newest().end(failedHandshake);
    await pass(240_000);
    const waits = openedAtMs.slice(1).map((atMs, index) => atMs - (openedAtMs[index] ?? 0));
    expect(waits).toEqual([250, 1000, 2000, 5000, 10_000, 30_000, 60_000, 60_000, 60_000]);
  });

  it("is opening once, and then lost until one is open, however often it is tried", async () => {
    isFailing = true;
    newest().end(failedHandshake);
    await pass(60_000);
    expect(openedAtMs.length).toBeGreaterThan(5);
    isFailing = false;
    await pass(60_000);
    await open();
    keeper.reconnect();
    const changes = kinds().filter((kind, index) => kind !== kinds()[index - 1]);
    expect(changes).toEqual(["opening", "lost", "open", "opening"]);
  });

  it("tries a certificate that has changed within 2 s, however long it was to wait, and once", async () => {
    isFailing = true;
    newest().end(failedHandshake);
    await pass(60_000);
    const before = opened.length;
    answer = SECOND;
    await pass(2000);
    expect(opened).toHaveLength(before + 1);
    expect(newest().options.certificateHashes).toEqual(["second"]);
    await pass(30_000);
    expect(opened).toHaveLength(before + 1);
  });

  it("gives each session the token that came with its address", async () => {
    answer = { ...FIRST, sessionToken: "7f3a" };
    keeper.reconnect();
    await settle();
    expect(opened.map(({ options }) => options.sessionToken)).toEqual([null, "7f3a"]);
  });

  it("gives up a session that does not open", async () => {
    await pass(15_000);
    expect(opened[0]?.isClosed).toBe(true);
    expect(states.find(({ kind }) => kind === "lost")).toMatchObject({
      error: { message: "no session was opened within 15 s" },
    });
  });

  it("gives up when the session is refused, with the server's reason", async () => {
    newest().end(new RefusedSession(2, "unknown scheme bbr"));
    await pass(600_000);
    expect(opened).toHaveLength(1);
    expect(states.at(-1)).toMatchObject({ kind: "refused", error: { message: "unknown scheme bbr" } });
  });

  it("tells why a session cannot even begin, and tries again by the schedule", async () => {
    await open();
    openingError = new DOMException("the script is of another origin", "SecurityError");
    newest().end(lost);
    await pass(250);
    expect(states.slice(-2)).toEqual([
      { kind: "lost", error: lost },
      { kind: "lost", error: openingError },
    ]);
    await pass(1000);
    expect(kinds().filter((kind) => kind === "lost")).toHaveLength(3);
    openingError = null;
    await pass(2000);
    await open();
    expect(kinds().at(-1)).toBe("open");
  });

  it("leaves a session that was given up while its code was fetched", async () => {
    let finishFetching: () => void = () => undefined;
    codeFetched = new Promise((resolve) => {
      finishFetching = resolve;
    });
    keeper.change({ ...parameters, scheme: "kuafu" });
    await settle();
    codeFetched = null;
    keeper.change({ ...parameters, scheme: "cubic" });
    await settle();
    const wanted = newest();
    await open();
    finishFetching();
    await settle();
    expect([newest().options.parameters.scheme, newest().isClosed]).toEqual(["kuafu", true]);
    expect([keeper.session(), wanted.options.parameters.scheme]).toEqual([wanted, "cubic"]);
    expect(kinds().at(-1)).toBe("open");
  });

  it("opens none after close", async () => {
    await open();
    keeper.close();
    newest().end(null);
    await pass(600_000);
    expect(newest().isClosed).toBe(true);
    expect(opened).toHaveLength(1);
  });

  it.each([
    ["changed", () => keeper.change({ ...parameters, scheme: "cubic" })],
    ["reconnected", () => keeper.reconnect()],
    [
      "shown again",
      () => {
        keeper.suspend();
        keeper.resume();
      },
    ],
  ])("opens none when it is %s after close: nobody would end it", async (_name, act) => {
    await open();
    keeper.close();
    act();
    await pass(600_000);
    expect(opened).toHaveLength(1);
  });
});

describe("while there is no media server", () => {
  it("makes no attempt, and one as soon as it is there", async () => {
    await open();
    answer = null;
    newest().end(lost);
    await pass(300_000);
    expect(opened).toHaveLength(1);
    expect(kinds().at(-1)).toBe("away");
    answer = SECOND;
    await pass(2000);
    expect(opened).toHaveLength(2);
  });

  it("asks for one after 0.25, 0.5, 1 and 2 s, then every 2 s", async () => {
    await open();
    answer = null;
    askedAtMs = [];
    newest().end(lost);
    await pass(10_000);
    expect(askedAtMs).toEqual([0, 250, 750, 1750, 3750, 5750, 7750, 9750]);
  });

  it.each([
    ["fails", new Error("The server does not answer.")],
    ["does not answer", "none"],
  ] as const)("makes no attempt while the page's server %s, and one soon after", async (_name, silent) => {
    await open();
    answer = silent;
    newest().end(lost);
    await pass(300_000);
    expect(opened).toHaveLength(1);
    expect(kinds().at(-1)).toBe("lost");
    answer = FIRST;
    await pass(5000);
    expect(opened).toHaveLength(2);
  });
});

describe("a silent session", () => {
  beforeEach(async () => {
    await open();
    await pass(20_000);
  });

  const fallSilent = async (): Promise<void> => {
    newest().options.onSilence?.(true);
    await settle();
  };

  it("to a server that should be there is reachable, and left after 5 s", async () => {
    await fallSilent();
    expect(states.at(-1)).toEqual({ kind: "silent", isReachable: true });
    await pass(4000);
    expect(opened[0]?.isClosed).toBe(false);
    await pass(2000);
    expect(opened[0]?.isClosed).toBe(true);
    expect(opened).toHaveLength(2);
  });

  it("is left at once when the server is gone, and none is tried until there is one", async () => {
    answer = null;
    await fallSilent();
    expect(opened[0]?.isClosed).toBe(true);
    expect(kinds().slice(-2)).toEqual(["lost", "away"]);
    expect(opened).toHaveLength(1);
  });

  it("is left at once for the server's next life", async () => {
    answer = SECOND;
    await fallSilent();
    expect(opened[0]?.isClosed).toBe(true);
    expect(newest().options.certificateHashes).toEqual(["second"]);
  });

  it("is kept while certificates rotate and both are valid", async () => {
    answer = { ...FIRST, certificateHashes: ["second", "first"] };
    await fallSilent();
    await pass(3000);
    expect(opened[0]?.isClosed).toBe(false);
  });

  it.each([
    ["does not answer either", "none"],
    ["has another page in the address's place", new ServerAway("It is a web page.")],
  ] as const)("is kept for as long as QUIC does while the page's server %s", async (_name, silent) => {
    answer = silent;
    await fallSilent();
    await pass(60_000);
    expect(opened[0]?.isClosed).toBe(false);
    expect(states.at(-1)).toEqual({ kind: "silent", isReachable: false });
  });

  it("over an emulated link is kept: the outage is the link's", async () => {
    answer = { ...FIRST, isEmulated: true };
    await fallSilent();
    expect(keeper.isEmulated).toBe(true);
    await pass(60_000);
    expect(opened[0]?.isClosed).toBe(false);
    answer = FIRST;
    keeper.reconnect();
    await settle();
    expect(keeper.isEmulated).toBe(false);
  });

  it("that is not open yet is being opened, and given the time for that", async () => {
    keeper.reconnect();
    await settle();
    await fallSilent();
    await pass(10_000);
    expect(kinds().at(-1)).toBe("opening");
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it("that was left says nothing of the one that was opened instead", async () => {
    keeper.change({ ...parameters, scheme: "cubic" });
    await settle();
    opened[0]?.options.onSilence?.(true);
    await settle();
    expect(kinds().at(-1)).toBe("opening");
    await open();
    opened[0]?.options.onSilence?.(true);
    await pass(60_000);
    expect(kinds().at(-1)).toBe("open");
    expect(newest().isClosed).toBe(false);
  });

  it("has its own 5 s, though a question about the silence before it is answered in it", async () => {
    answers = new Promise((resolve) => setTimer(resolve, 2900));
    await fallSilent();
    await pass(2400);
    newest().options.onSilence?.(false);
    await pass(100);
    answers = null;
    askedAtMs = [];
    await fallSilent();
    const silentAtMs = nowMs;
    await pass(4900);
    expect(opened[0]?.isClosed).toBe(false);
    expect(askedAtMs.map((atMs) => atMs - silentAtMs)).toEqual([0, 1000, 2000, 3000, 4000]);
    await pass(100);
    expect(opened[0]?.isClosed).toBe(true);
  });

  it("that is heard again is open again", async () => {
    await fallSilent();
    newest().options.onSilence?.(false);
    await pass(60_000);
    expect(kinds().at(-1)).toBe("open");
    expect(opened).toHaveLength(1);
    expect(keeper.session()).toBe(newest());
  });
});

describe("what the page does", () => {
  it("changes the parameters: another session at once", async () => {
    await open();
    keeper.change({ ...parameters, scheme: "cubic" });
    await settle();
    expect(opened[0]?.isClosed).toBe(true);
    expect(newest().options.parameters.scheme).toBe("cubic");
    expect(openedAtMs).toEqual([0, 0]);
  });

  it("changes the parameters while a session is being opened: another at once", async () => {
    keeper.change({ ...parameters, scheme: "cubic" });
    await settle();
    expect(opened[0]?.isClosed).toBe(true);
    expect(openedAtMs).toEqual([0, 0]);
  });

  it("had nothing to do and lost its place: another is opened with the next request, and not before", async () => {
    await open();
    await pass(40_000);
    newest().end(new SessionIdle("a newcomer needed the place"));
    await settle();
    expect(kinds().at(-1)).toBe("idle");
    keeper.retrySoon();
    await pass(600_000);
    expect(opened).toHaveLength(1);
    keeper.want();
    await settle();
    expect(opened).toHaveLength(2);
    await open();
    expect(kinds().at(-1)).toBe("open");
  });

  it("is changed, or closed, while its session rests", async () => {
    await open();
    newest().end(new SessionIdle("a newcomer needed the place"));
    await settle();
    keeper.reconnect();
    await settle();
    expect(opened).toHaveLength(2);
    await open();
    newest().end(new SessionIdle("a newcomer needed the place"));
    await settle();
    keeper.close();
    keeper.want();
    await pass(600_000);
    expect(opened).toHaveLength(2);
  });

  it("comes online, or is looked at: the session is asked for a sign of life", async () => {
    await open();
    keeper.retrySoon();
    expect(newest().probes).toBe(1);
  });

  it("comes online while an attempt must wait: the attempt is made at once, but no second one", async () => {
    isFailing = true;
    newest().end(failedHandshake);
    await pass(60_000);
    const before = opened.length;
    keeper.retrySoon();
    await settle();
    expect(opened).toHaveLength(before + 1);
    keeper.retrySoon();
    await settle();
    expect(opened).toHaveLength(before + 1);
  });

  it("is hidden in the browser's cache and shown again: closed meanwhile, then opened anew", async () => {
    await open();
    keeper.suspend();
    expect(newest().isClosed).toBe(true);
    await pass(600_000);
    expect(opened).toHaveLength(1);
    expect(kinds().at(-1)).toBe("suspended");
    keeper.resume();
    await settle();
    expect(opened).toHaveLength(2);
    keeper.resume();
    await settle();
    expect(opened).toHaveLength(2);
  });
});
