import { beforeEach, describe, expect, it } from "vitest";
import type { MediaPath } from "./media-path.ts";
import {
  FIRST_SESSION_PATIENCE_MS,
  HEAD_START_MS,
  NEXT_HEAD_START_MS,
  PathChooser,
  type PathChooserOptions,
  type Way,
} from "./path-chooser.ts";
import { RefusedSession, SessionLost } from "./session-errors.ts";
import { watchNews } from "./watch.ts";

const session = { request: () => Promise.reject(new Error("nothing is fetched here")) };
const never = new AbortController().signal;
const lost = { kind: "lost", error: new SessionLost("the session broke off", true) } as const;
const silent = { kind: "silent", isReachable: true } as const;

let paths: MediaPath[];
let timers: { callback: () => void; delayMs: number }[];
let isEmulated: boolean;
let open: typeof session | null;
let chooser: PathChooser;

function make(changes: Partial<PathChooserOptions> = {}): PathChooser {
  return new PathChooser({
    session: () => open,
    fallback: true,
    isEmulated: () => isEmulated,
    setTimer: (callback, delayMs) => {
      const timer = { callback, delayMs };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    ...changes,
  });
}

/** The way that a request is given now; null while it has to wait. */
async function wayNow(): Promise<Way["kind"] | null> {
  const given = chooser.next(never).then(({ kind }) => kind);
  const none = new Promise<null>((resolve) => setImmediate(() => resolve(null)));
  return await Promise.race([given, none]);
}

function endHeadStart(headStartMs = HEAD_START_MS): void {
  const timer = timers.find(({ delayMs }) => delayMs === headStartMs);
  timer?.callback();
}

async function openWay(): Promise<Extract<Way, { kind: "webtransport" }>> {
  open = session;
  chooser.onSession({ kind: "open" });
  const way = await chooser.next(never);
  if (way.kind !== "webtransport") {
    throw new Error("the session is open");
  }
  return way;
}

beforeEach(() => {
  paths = [];
  timers = [];
  isEmulated = false;
  open = null;
  chooser = make();
  watchNews(chooser.path, (path) => paths.push(path));
});

describe("at the start", () => {
  it("requests wait for a session", async () => {
    expect(await wayNow()).toBeNull();
    const waiting = chooser.next(never);
    await openWay();
    expect((await waiting).kind).toBe("webtransport");
    expect(paths).toEqual([{ kind: "webtransport", reason: null }]);
  });

  it("they wait no longer than the head start: UDP may be blocked", async () => {
    endHeadStart();
    expect(await wayNow()).toBe("http");
    expect(paths).toEqual([{ kind: "http", reason: "no session was open within 1.5 s" }]);
  });

  it.each([
    ["the handshake fails, as with a wrong or an expired certificate", lost, "the session broke off"],
    [
      "the media server is away",
      { kind: "away", reason: "/nuwa.json has no address" },
      "/nuwa.json has no address",
    ],
    [
      "the server refuses",
      { kind: "refused", error: new RefusedSession(2, "unknown scheme bbr.") },
      "the media server refuses the session: unknown scheme bbr",
    ],
  ] as const)("they do not wait when %s", async (_name, state, reason) => {
    chooser.onSession(state);
    expect(await wayNow()).toBe("http");
    expect(chooser.path.get()).toEqual({ kind: "http", reason });
  });

  it("they do not wait where there is no WebTransport", async () => {
    chooser.refuse(new Error("this browser has no WebTransport"));
    expect(await wayNow()).toBe("http");
    expect(chooser.path.get().reason).toBe("this browser has no WebTransport");
  });

  it("a session that opens late is taken", async () => {
    endHeadStart();
    await openWay();
    expect(paths.map(({ kind }) => kind)).toEqual(["http", "webtransport"]);
  });

  it("a request that waits for the web server waits on while no session comes of another try", async () => {
    endHeadStart();
    let isOver = false;
    const waiting = chooser.changed(never, 4000).then(() => {
      isOver = true;
    });
    for (const state of [{ kind: "away", reason: "it is away" }, { kind: "opening" }, lost] as const) {
      chooser.onSession(state);
      await new Promise(setImmediate);
    }
    expect(isOver).toBe(false);
    await openWay();
    await waiting;
  });

  it("a waiting request that is aborted waits no more", async () => {
    const cancel = new AbortController();
    const waiting = chooser.next(cancel.signal);
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    await expect(chooser.changed(cancel.signal)).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("an open session", () => {
  it.each([
    ["is silent", silent],
    ["is lost", lost],
    ["is silent because its server is away", { kind: "away", reason: "it is away" }],
  ] as const)("that %s is left at once, with what is open", async (_name, state) => {
    const { left } = await openWay();
    chooser.onSession(state);
    expect(left.aborted).toBe(true);
    expect(await wayNow()).toBe("http");
  });

  it("that is silent is not left while nobody else answers either", async () => {
    const { left } = await openWay();
    chooser.onSession({ kind: "silent", isReachable: false });
    expect(left.aborted).toBe(false);
    expect(chooser.path.get()).toEqual({
      kind: "webtransport",
      reason: "the media server gives no sign of life",
    });
  });

  it("that is heard again is taken again", async () => {
    await openWay();
    chooser.onSession(silent);
    const { left } = await openWay();
    expect(left.aborted).toBe(false);
    expect(await wayNow()).toBe("webtransport");
  });

  it("keeps requests over HTTP while the next one is only being opened", async () => {
    await openWay();
    open = null;
    chooser.onSession(lost);
    chooser.onSession({ kind: "opening" });
    expect(await wayNow()).toBe("http");
  });

  it("that is changed for another gives the other a longer head start", async () => {
    const { left } = await openWay();
    open = null;
    chooser.onSession({ kind: "opening" });
    expect(left.aborted).toBe(true);
    expect(await wayNow()).toBeNull();
    endHeadStart(HEAD_START_MS);
    expect(await wayNow()).toBeNull();
    endHeadStart(NEXT_HEAD_START_MS);
    expect(await wayNow()).toBe("http");
    expect(chooser.path.get().reason).toBe("no session was open within 3 s");
  });

  it("on which a request was just lost is not given again", async () => {
    await openWay();
    const next = chooser.next(never, session);
    open = { ...session };
    chooser.onSession({ kind: "open" });
    expect(await next).toMatchObject({ kind: "webtransport", session: open });
  });

  it("wakes a session that rests with the next request, once, and goes over HTTP where none opens", async () => {
    let wanted = 0;
    timers = [];
    chooser = make({ onWanted: () => wanted++ });
    await openWay();
    open = null;
    chooser.onSession({ kind: "idle" });
    expect(timers).toEqual([]);
    expect(wanted).toBe(0);
    expect(await wayNow()).toBeNull();
    expect(await wayNow()).toBeNull();
    expect(wanted).toBe(1);
    chooser.onSession({ kind: "opening" });
    endHeadStart();
    expect(await wayNow()).toBe("http");
  });

  it("wakes a session that rests at once where a request waits", async () => {
    let wanted = 0;
    timers = [];
    chooser = make({ onWanted: () => wanted++ });
    await openWay();
    void chooser.next(never, session);
    chooser.onSession({ kind: "idle" });
    await wayNow();
    expect(wanted).toBe(1);
  });

  it("waits while the page is out of sight, and has no head start there", async () => {
    await openWay();
    open = null;
    chooser.onSession({ kind: "suspended" });
    expect(await wayNow()).toBeNull();
    expect(timers).toEqual([]);
  });
});

describe("over an emulated link", () => {
  beforeEach(() => {
    isEmulated = true;
  });

  it("goes over HTTP where no session ever opens, but not after one that worked", async () => {
    chooser.onSession({ kind: "opening" });
    endHeadStart();
    expect(await wayNow()).toBeNull();
    timers.find(({ delayMs }) => delayMs === FIRST_SESSION_PATIENCE_MS)?.callback();
    expect(await wayNow()).toBe("http");
    await openWay();
    expect(timers.filter(({ delayMs }) => delayMs === FIRST_SESSION_PATIENCE_MS)).toEqual([]);
    open = null;
    chooser.onSession(lost);
    expect(await wayNow()).toBeNull();
  });

  it("goes over HTTP where the server itself closes each session, which is no outage of the link", async () => {
    const { left } = await openWay();
    chooser.onSession({ kind: "lost", error: new SessionLost("the token expired", true, 7) });
    expect([left.aborted, await wayNow()]).toEqual([true, "http"]);
    await openWay();
    expect(await wayNow()).toBe("webtransport");
  });

  it("a slow opening is waited for", async () => {
    endHeadStart();
    expect(await wayNow()).toBeNull();
    expect(paths).toEqual([{ kind: "connecting", reason: "no session was open within 1.5 s" }]);
  });

  it("a silent session keeps its requests: the outage is the link's", async () => {
    const { left } = await openWay();
    chooser.onSession(silent);
    expect(left.aborted).toBe(false);
    expect(chooser.path.get().kind).toBe("webtransport");
  });

  it("after a lost session the next is waited for", async () => {
    await openWay();
    open = null;
    chooser.onSession(lost);
    expect(await wayNow()).toBeNull();
  });

  it("HTTP is taken when the media server is gone", async () => {
    await openWay();
    chooser.onSession({ kind: "away", reason: "it is away" });
    expect(await wayNow()).toBe("http");
  });
});

describe("without fallback", () => {
  beforeEach(() => {
    timers = [];
    chooser = make({ fallback: false });
  });

  it("requests wait for the next session, and the path says why", async () => {
    await openWay();
    open = null;
    chooser.onSession(lost);
    expect(await wayNow()).toBeNull();
    expect(chooser.path.get()).toEqual({ kind: "connecting", reason: "the session broke off" });
  });

  it("requests fail when there will be no session", async () => {
    chooser.onSession({ kind: "refused", error: new RefusedSession(2, "unknown scheme bbr") });
    await expect(chooser.next(never)).rejects.toThrow("unknown scheme bbr");
  });

  it("requests fail where there is no WebTransport", async () => {
    const waiting = chooser.next(never);
    chooser.refuse(new Error("this browser has no WebTransport"));
    await expect(waiting).rejects.toThrow("this browser has no WebTransport");
    await expect(chooser.next(never)).rejects.toThrow("this browser has no WebTransport");
  });

  it("what is open and what waits comes over HTTP once no session is wanted, for good", async () => {
    isEmulated = true;
    const { left } = await openWay();
    const waiting = chooser.next(never, session);
    chooser.giveUp("closed");
    expect([left.aborted, (await waiting).kind]).toEqual([true, "http"]);
    expect([chooser.path.get(), timers]).toEqual([{ kind: "http", reason: "closed" }, []]);
  });

  it("a first session over an emulated link is waited for no longer once none is wanted", async () => {
    isEmulated = true;
    endHeadStart();
    timers = timers.filter(({ delayMs }) => delayMs === FIRST_SESSION_PATIENCE_MS);
    expect(timers).toHaveLength(1);
    chooser.giveUp("closed");
    expect([await wayNow(), timers]).toEqual(["http", []]);
  });

  it("a refused session may be changed for one that opens", async () => {
    chooser.onSession({ kind: "refused", error: new RefusedSession(2, "unknown scheme bbr") });
    chooser.onSession({ kind: "opening" });
    expect(await wayNow()).toBeNull();
    await openWay();
    expect(await wayNow()).toBe("webtransport");
  });
});
