import { beforeEach, describe, expect, it } from "vitest";
import { RefusedSession } from "./session-errors.ts";
import { FIRST, failedHandshake, KeeperStage, lost, SECOND, settle } from "./testing/keeper-stage.ts";
import { parameters } from "./testing/sample-parameters.ts";

let stage: KeeperStage;

beforeEach(async () => {
  stage = await KeeperStage.begin();
});

describe("keeping a session open", () => {
  it("gives the session while it is open", async () => {
    expect(stage.keeper.session()).toBeNull();
    await stage.open();
    expect(stage.keeper.session()).toBe(stage.newest());
    stage.newest().end(lost);
    await settle();
    expect(stage.keeper.session()).toBeNull();
    expect(stage.states.at(-1)).toEqual({ kind: "lost", error: lost });
  });

  it("opens another when one is lost", async () => {
    await stage.open();
    await stage.pass(20_000);
    stage.newest().end(lost);
    await stage.pass(250);
    await stage.open();
    expect(stage.openedAtMs).toEqual([0, 20_250]);
    expect(stage.kinds().slice(-3)).toEqual(["open", "lost", "open"]);
  });

  it("tries after 0.25, 1, 2, 5, 10, 30, 60 s while handshakes fail, then once a minute", async () => {
    stage.isFailing = true;
    stage.newest().end(failedHandshake);
    await stage.pass(240_000);
    const waits = stage.openedAtMs.slice(1).map((atMs, index) => atMs - (stage.openedAtMs[index] ?? 0));
    expect(waits).toEqual([250, 1000, 2000, 5000, 10_000, 30_000, 60_000, 60_000, 60_000]);
  });

  it("is opening once, and then lost until one is open, however often it is tried", async () => {
    stage.isFailing = true;
    stage.newest().end(failedHandshake);
    await stage.pass(60_000);
    expect(stage.openedAtMs.length).toBeGreaterThan(5);
    stage.isFailing = false;
    await stage.pass(60_000);
    await stage.open();
    stage.keeper.reconnect();
    const changes = stage.kinds().filter((kind, index) => kind !== stage.kinds()[index - 1]);
    expect(changes).toEqual(["opening", "lost", "open", "opening"]);
  });

  it("tries a certificate that has changed within 2 s, however long it was to wait, and once", async () => {
    stage.isFailing = true;
    stage.newest().end(failedHandshake);
    await stage.pass(60_000);
    const before = stage.opened.length;
    stage.answer = SECOND;
    await stage.pass(2000);
    expect(stage.opened).toHaveLength(before + 1);
    expect(stage.newest().options.certificateHashes).toEqual(["second"]);
    await stage.pass(30_000);
    expect(stage.opened).toHaveLength(before + 1);
  });

  it("gives each session the token that came with its address", async () => {
    stage.answer = { ...FIRST, sessionToken: "7f3a" };
    stage.keeper.reconnect();
    await settle();
    expect(stage.opened.map(({ options }) => options.sessionToken)).toEqual([null, "7f3a"]);
  });

  it("gives up a session that does not open", async () => {
    await stage.pass(15_000);
    expect(stage.opened[0]?.isClosed).toBe(true);
    expect(stage.states.find(({ kind }) => kind === "lost")).toMatchObject({
      error: { message: "no session was opened within 15 s" },
    });
  });

  it("gives up when the session is refused, with the server's reason", async () => {
    stage.newest().end(new RefusedSession(2, "unknown scheme bbr"));
    await stage.pass(600_000);
    expect(stage.opened).toHaveLength(1);
    expect(stage.states.at(-1)).toMatchObject({ kind: "refused", error: { message: "unknown scheme bbr" } });
  });

  it("tells why a session cannot even begin, and tries again by the schedule", async () => {
    await stage.open();
    stage.openingError = new DOMException("the script is of another origin", "SecurityError");
    stage.newest().end(lost);
    await stage.pass(250);
    expect(stage.states.slice(-2)).toEqual([
      { kind: "lost", error: lost },
      { kind: "lost", error: stage.openingError },
    ]);
    await stage.pass(1000);
    expect(stage.kinds().filter((kind) => kind === "lost")).toHaveLength(3);
    stage.openingError = null;
    await stage.pass(2000);
    await stage.open();
    expect(stage.kinds().at(-1)).toBe("open");
  });

  it("leaves a session that was given up while its code was fetched", async () => {
    let finishFetching: () => void = () => undefined;
    stage.codeFetched = new Promise((resolve) => {
      finishFetching = resolve;
    });
    stage.keeper.change({ ...parameters, scheme: "kuafu" });
    await settle();
    stage.codeFetched = null;
    stage.keeper.change({ ...parameters, scheme: "cubic" });
    await settle();
    const wanted = stage.newest();
    await stage.open();
    finishFetching();
    await settle();
    expect([stage.newest().options.parameters.scheme, stage.newest().isClosed]).toEqual(["kuafu", true]);
    expect([stage.keeper.session(), wanted.options.parameters.scheme]).toEqual([wanted, "cubic"]);
    expect(stage.kinds().at(-1)).toBe("open");
  });

  it("opens none after close", async () => {
    await stage.open();
    stage.keeper.close();
    stage.newest().end(null);
    await stage.pass(600_000);
    expect(stage.newest().isClosed).toBe(true);
    expect(stage.opened).toHaveLength(1);
  });

  it.each([
    ["changed", () => stage.keeper.change({ ...parameters, scheme: "cubic" })],
    ["reconnected", () => stage.keeper.reconnect()],
    [
      "shown again",
      () => {
        stage.keeper.suspend();
        stage.keeper.resume();
      },
    ],
  ])("opens none when it is %s after close: nobody would end it", async (_name, act) => {
    await stage.open();
    stage.keeper.close();
    act();
    await stage.pass(600_000);
    expect(stage.opened).toHaveLength(1);
  });
});

describe("while there is no media server", () => {
  it("makes no attempt, and one as soon as it is there", async () => {
    await stage.open();
    stage.answer = null;
    stage.newest().end(lost);
    await stage.pass(300_000);
    expect(stage.opened).toHaveLength(1);
    expect(stage.kinds().at(-1)).toBe("away");
    stage.answer = SECOND;
    await stage.pass(2000);
    expect(stage.opened).toHaveLength(2);
  });

  it("asks for one after 0.25, 0.5, 1 and 2 s, then every 2 s", async () => {
    await stage.open();
    stage.answer = null;
    stage.askedAtMs = [];
    stage.newest().end(lost);
    await stage.pass(10_000);
    expect(stage.askedAtMs).toEqual([0, 250, 750, 1750, 3750, 5750, 7750, 9750]);
  });

  it.each([
    ["fails", new Error("The server does not answer.")],
    ["does not answer", "none"],
  ] as const)("makes no attempt while the page's server %s, and one soon after", async (_name, silent) => {
    await stage.open();
    stage.answer = silent;
    stage.newest().end(lost);
    await stage.pass(300_000);
    expect(stage.opened).toHaveLength(1);
    expect(stage.kinds().at(-1)).toBe("lost");
    stage.answer = FIRST;
    await stage.pass(5000);
    expect(stage.opened).toHaveLength(2);
  });
});
