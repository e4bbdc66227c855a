import { beforeEach, describe, expect, it } from "vitest";
import { ServerAway } from "./server-address.ts";
import { FIRST, KeeperStage, SECOND, settle } from "./testing/keeper-stage.ts";
import { parameters } from "./testing/sample-parameters.ts";

let stage: KeeperStage;

beforeEach(async () => {
  stage = await KeeperStage.begin();
});

describe("a silent session", () => {
  beforeEach(async () => {
    await stage.open();
    await stage.pass(20_000);
  });

  const fallSilent = async (): Promise<void> => {
    stage.newest().options.onSilence?.(true);
    await settle();
  };

  it("to a server that should be there is reachable, and left after 5 s", async () => {
    await fallSilent();
    expect(stage.states.at(-1)).toEqual({ kind: "silent", isReachable: true });
    await stage.pass(4000);
    expect(stage.opened[0]?.isClosed).toBe(false);
    await stage.pass(2000);
    expect(stage.opened[0]?.isClosed).toBe(true);
    expect(stage.opened).toHaveLength(2);
  });

  it("is left at once when the server is gone, and none is tried until there is one", async () => {
    stage.answer = null;
    await fallSilent();
    expect(stage.opened[0]?.isClosed).toBe(true);
    expect(stage.kinds().slice(-2)).toEqual(["lost", "away"]);
    expect(stage.opened).toHaveLength(1);
  });

  it("is left at once for the server's next life", async () => {
    stage.answer = SECOND;
    await fallSilent();
    expect(stage.opened[0]?.isClosed).toBe(true);
    expect(stage.newest().options.certificateHashes).toEqual(["second"]);
  });

  it("is kept while certificates rotate and both are valid", async () => {
    stage.answer = { ...FIRST, certificateHashes: ["second", "first"] };
    await fallSilent();
    await stage.pass(3000);
    expect(stage.opened[0]?.isClosed).toBe(false);
  });

  it.each([
    ["does not answer either", "none"],
    ["has another page in the address's place", new ServerAway("It is a web page.")],
  ] as const)("is kept for as long as QUIC does while the page's server %s", async (_name, silent) => {
    stage.answer = silent;
    await fallSilent();
    await stage.pass(60_000);
    expect(stage.opened[0]?.isClosed).toBe(false);
    expect(stage.states.at(-1)).toEqual({ kind: "silent", isReachable: false });
  });

  it("over an emulated link is kept: the outage is the link's", async () => {
    stage.answer = { ...FIRST, isEmulated: true };
    await fallSilent();
    expect(stage.keeper.isEmulated).toBe(true);
    await stage.pass(60_000);
    expect(stage.opened[0]?.isClosed).toBe(false);
    stage.answer = FIRST;
    stage.keeper.reconnect();
    await settle();
    expect(stage.keeper.isEmulated).toBe(false);
  });

  it("that is not open yet is being opened, and given the time for that", async () => {
    stage.keeper.reconnect();
    await settle();
    await fallSilent();
    await stage.pass(10_000);
    expect(stage.kinds().at(-1)).toBe("opening");
    expect(stage.opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it("that was left says nothing of the one that was opened instead", async () => {
    stage.keeper.change({ ...parameters, scheme: "cubic" });
    await settle();
    stage.opened[0]?.options.onSilence?.(true);
    await settle();
    expect(stage.kinds().at(-1)).toBe("opening");
    await stage.open();
    stage.opened[0]?.options.onSilence?.(true);
    await stage.pass(60_000);
    expect(stage.kinds().at(-1)).toBe("open");
    expect(stage.newest().isClosed).toBe(false);
  });

  it("has its own 5 s, though a question about the silence before it is answered in it", async () => {
    stage.answers = new Promise((resolve) => stage.setTimer(resolve, 2900));
    await fallSilent();
    await stage.pass(2400);
    stage.newest().options.onSilence?.(false);
    await stage.pass(100);
    stage.answers = null;
    stage.askedAtMs = [];
    await fallSilent();
    const silentAtMs = stage.nowMs;
    await stage.pass(4900);
    expect(stage.opened[0]?.isClosed).toBe(false);
    expect(stage.askedAtMs.map((atMs) => atMs - silentAtMs)).toEqual([0, 1000, 2000, 3000, 4000]);
    await stage.pass(100);
    expect(stage.opened[0]?.isClosed).toBe(true);
  });

  it("that is heard again is open again", async () => {
    await fallSilent();
    stage.newest().options.onSilence?.(false);
    await stage.pass(60_000);
    expect(stage.kinds().at(-1)).toBe("open");
    expect(stage.opened).toHaveLength(1);
    expect(stage.keeper.session()).toBe(stage.newest());
  });
});
