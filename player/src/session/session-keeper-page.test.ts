import { beforeEach, describe, expect, it } from "vitest";
import { SessionIdle } from "./session-errors.ts";
import { failedHandshake, KeeperStage, settle } from "./testing/keeper-stage.ts";
import { parameters } from "./testing/sample-parameters.ts";

let stage: KeeperStage;

beforeEach(async () => {
  stage = await KeeperStage.begin();
});

describe("what the page does", () => {
  it("changes the parameters: another session at once", async () => {
    await stage.open();
    stage.keeper.change({ ...parameters, scheme: "cubic" });
    await settle();
    expect(stage.opened[0]?.isClosed).toBe(true);
    expect(stage.newest().options.parameters.scheme).toBe("cubic");
    expect(stage.openedAtMs).toEqual([0, 0]);
  });

  it("changes the parameters while a session is being opened: another at once", async () => {
    stage.keeper.change({ ...parameters, scheme: "cubic" });
    await settle();
    expect(stage.opened[0]?.isClosed).toBe(true);
    expect(stage.openedAtMs).toEqual([0, 0]);
  });

  it("had nothing to do and lost its place: another is opened with the next request, and not before", async () => {
    await stage.open();
    await stage.pass(40_000);
    stage.newest().end(new SessionIdle("a newcomer needed the place"));
    await settle();
    expect(stage.kinds().at(-1)).toBe("idle");
    stage.keeper.retrySoon();
    await stage.pass(600_000);
    expect(stage.opened).toHaveLength(1);
    stage.keeper.want();
    await settle();
    expect(stage.opened).toHaveLength(2);
    await stage.open();
    expect(stage.kinds().at(-1)).toBe("open");
  });

  it("is changed, or closed, while its session rests", async () => {
    await stage.open();
    stage.newest().end(new SessionIdle("a newcomer needed the place"));
    await settle();
    stage.keeper.reconnect();
    await settle();
    expect(stage.opened).toHaveLength(2);
    await stage.open();
    stage.newest().end(new SessionIdle("a newcomer needed the place"));
    await settle();
    stage.keeper.close();
    stage.keeper.want();
    await stage.pass(600_000);
    expect(stage.opened).toHaveLength(2);
  });

  it("comes online, or is looked at: the session is asked for a sign of life", async () => {
    await stage.open();
    stage.keeper.retrySoon();
    expect(stage.newest().probes).toBe(1);
  });

  it("comes online while an attempt must wait: the attempt is made at once, but no second one", async () => {
    stage.isFailing = true;
    stage.newest().end(failedHandshake);
    await stage.pass(60_000);
    const before = stage.opened.length;
    stage.keeper.retrySoon();
    await settle();
    expect(stage.opened).toHaveLength(before + 1);
    stage.keeper.retrySoon();
    await settle();
    expect(stage.opened).toHaveLength(before + 1);
  });

  it("is hidden in the browser's cache and shown again: closed meanwhile, then opened anew", async () => {
    await stage.open();
    stage.keeper.suspend();
    expect(stage.newest().isClosed).toBe(true);
    await stage.pass(600_000);
    expect(stage.opened).toHaveLength(1);
    expect(stage.kinds().at(-1)).toBe("suspended");
    stage.keeper.resume();
    await settle();
    expect(stage.opened).toHaveLength(2);
    stage.keeper.resume();
    await settle();
    expect(stage.opened).toHaveLength(2);
  });
});
