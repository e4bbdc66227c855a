import type { MediaPlayerSettingClass } from "dashjs";
import { describe, expect, it, vi } from "vitest";
import { attachNuwa } from "./attach.ts";
import {
  attach,
  FakePlayer,
  FakeXhr,
  HIGH,
  LOW,
  loadSegment,
  measure,
  ownDecision,
  prepareFake,
  SERVER,
  SOURCE,
  setStage,
  stage,
} from "./testing/sample-attachment.ts";

setStage();

describe("an attachment", () => {
  it("puts loader, settings and rule into the player before its source", async () => {
    await attach();
    expect(new Set(stage.player.extensions.keys())).toEqual(new Set(["ABRRulesCollection", "XHRLoader"]));
    expect([...stage.player.rules.keys()]).toEqual(["NuwaRule", "NuwaRuleAbandon"]);
    expect(stage.player.settings.streaming.abr.throughput.useResourceTimingApi).toBe(false);
    expect(stage.player.settings.streaming.abr.rules.throughputRule.active).toBe(false);
  });

  it("lets rules decide by the receiver's estimate and queue", async () => {
    await attach();
    measure();
    stage.player.beginStream(ownDecision);
    expect(stage.player.decide()?.reason).toMatchObject({
      bandwidthBitsPerSecond: 20e6,
      queueingDelaySeconds: 0.2,
    });
    expect(stage.player.throughput.getAverageThroughput()).toBe(20_000);
    expect(stage.player.throughput.getSafeAverageThroughput()).toBe(18_000);
  });

  it("with dash.js's estimator tells them nothing that the receiver measured", async () => {
    await attach({ estimator: "dashjs" });
    measure();
    stage.player.beginStream(ownDecision);
    expect(stage.player.decide()?.reason).toMatchObject({
      bandwidthBitsPerSecond: null,
      queueingDelaySeconds: 0,
    });
    expect(stage.player.throughput.getAverageThroughput()).toBe(3000);
  });

  it("goes by dash.js's throughput while segments come over HTTP, when the receiver's is stale", async () => {
    const attachment = await attach();
    measure();
    stage.player.beginStream(ownDecision);
    stage.player.decide();
    stage.opened[0]?.onSilence?.(true);
    await vi.waitFor(() => expect(attachment.path().kind).toBe("http"));
    expect(attachment.estimate()).toBeNull();
    expect(stage.player.throughput.getAverageThroughput()).toBe(3000);
    const request = { type: "MediaSegment", mediaType: "video", representation: LOW, index: 0, traces: [] };
    stage.player.tell("fragmentLoadingCompleted", { request });
    expect(stage.player.decide()?.reason).toMatchObject({
      bandwidthBitsPerSecond: 3e6,
      queueingDelaySeconds: 0,
    });
  });

  it("says how long nothing came of a segment, of pauses of a second and more", async () => {
    const attachment = await attach({ rule: null });
    stage.player.beginStream(ownDecision);
    const traces = [{ d: 40 }, { d: 1000 }, { d: 999 }, { d: 2500 }];
    const request = { type: "MediaSegment", mediaType: "video", representation: LOW, index: 0, traces };
    stage.player.tell("fragmentLoadingCompleted", { request });
    expect(attachment.records().segments.map(({ silentMs }) => silentMs)).toEqual([3500]);
  });

  it.each([-3_600_000, 3_600_000])(
    "tells a segment's times by the page's clock, though dash.js's has been set by %i ms",
    async (stepMs) => {
      const attachment = await attach({ rule: null });
      stage.player.beginStream(ownDecision);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + stepMs });
      const nowMs = Date.now();
      const request = {
        ...{ type: "MediaSegment", mediaType: "video", representation: LOW, index: 0, traces: [] },
        startDate: new Date(nowMs),
        firstByteDate: new Date(nowMs + 30),
      };
      stage.player.tell("fragmentLoadingCompleted", { request });
      const [segment] = attachment.records().segments;
      const { requestedAtMs = 0, firstByteAtMs = 0, endedAtMs = 0 } = segment ?? {};
      expect((firstByteAtMs ?? 0) - requestedAtMs).toBeCloseTo(30, 1);
      expect(Math.abs(endedAtMs - requestedAtMs)).toBeLessThan(1000);
    },
  );

  it("says which rule decided, and that nobody did at the start or by hand", async () => {
    const attachment = await attach({ rule: null });
    stage.player.beginStream(ownDecision);
    const request = { type: "MediaSegment", mediaType: "video", representation: LOW, index: 0, traces: [] };
    stage.player.tell("fragmentLoadingCompleted", { request });
    stage.player.decide();
    const change = { mediaType: "video", oldRepresentation: HIGH, newRepresentation: LOW, reason: {} };
    stage.player.tell("qualityChangeRequested", change);
    const decidedBy = attachment.records().switches.map((record) => record.decidedBy);
    expect(decidedBy).toEqual(["start", "ThroughputRule", "manual"]);
    expect(attachment.lastSwitch()?.toBitsPerSecond).toBe(0.7e6);
  });

  it("leaves the player's own rules alone when told to", async () => {
    await attach({ rule: null });
    expect(stage.player.rules.size).toBe(0);
    expect(stage.player.settings.streaming.abr.rules.throughputRule.active).toBe(true);
  });

  it("opens a session with other parameters under the same player", async () => {
    const attachment = await attach();
    attachment.change({ scheme: "cubic", preset: { targetDelayMs: 25, rhoMs: 12, k: 3, catchesUp: true } });
    await vi.waitFor(() => expect(stage.opened).toHaveLength(2));
    expect(stage.opened[1]?.parameters).toEqual({
      scheme: "cubic",
      preset: null,
      targetDelayMs: 25,
      rhoMs: 12,
      catchesUp: true,
      followsNeed: false,
      asInPaper: false,
      k: 3,
    });
    expect(stage.player.attached).toEqual([]);
  });

  it("takes undefined for what is not said, and keeps what was chosen", async () => {
    const unsaid = {
      baseUrl: undefined,
      cmcd: undefined,
      fallback: undefined,
      policies: undefined,
      rule: undefined,
    };
    const attachment = await attach({ ...unsaid, scheme: "cubic", preset: undefined });
    attachment.change({ scheme: undefined, preset: "live" });
    await vi.waitFor(() => expect(stage.opened).toHaveLength(2));
    expect(stage.opened[1]?.parameters).toMatchObject({ scheme: "cubic", preset: "live" });
    expect([...stage.player.rules.keys()]).toContain("NuwaRule");
  });

  it("gives a preset's name all of its numbers", async () => {
    const attachment = await attach();
    attachment.change({ preset: "mobile" });
    await vi.waitFor(() => expect(stage.opened).toHaveLength(2));
    expect(stage.opened[1]?.parameters).toMatchObject({
      preset: "mobile",
      targetDelayMs: 120,
      catchesUp: true,
    });
  });

  it("attaches a source that is there already once more, at the present place", () => {
    stage.player.source = SOURCE;
    stage.player.video = { currentTime: 42, paused: false };
    stage.player.isAutoPlaying = false;
    attachNuwa(stage.player.asPlayer(), { server: null });
    expect(stage.player.attached).toEqual([[SOURCE, 42, true]]);
    expect(stage.player.isAutoPlaying).toBe(false);
  });

  it("goes over HTTP, and says why, where the browser has no WebTransport", () => {
    const { document } = globalThis;
    vi.unstubAllGlobals();
    vi.stubGlobal("document", document);
    const attachment = attachNuwa(stage.player.asPlayer(), { server: SERVER });
    stage.attached.push(attachment);
    expect(attachment.path()).toEqual({
      kind: "http",
      reason: "this browser has no WebTransport, or gives it only to pages over HTTPS",
    });
  });

  it("without a media server takes the rule alone, and leaves dash.js its loader", () => {
    attachNuwa(stage.player.asPlayer(), { server: null });
    expect(stage.player.extensions.has("XHRLoader")).toBe(false);
    expect(stage.player.settings.streaming.abr.throughput.useResourceTimingApi).toBe(true);
    expect([...stage.player.rules.keys()]).toContain("NuwaRule");
  });
});

it("leaves failures of decoders to the page where it is told to", async () => {
  await attach({ skipUndecodable: false });
  expect(stage.player.settings).not.toHaveProperty("errors");
  expect(stage.player.listeners.get("playbackError")).toBeUndefined();
});

describe("a prepared session", () => {
  it("is opened anew for a player that comes after another was detached, or after it was closed", async () => {
    const nuwa = prepareFake();
    for (const end of [() => stage.attached.at(-1)?.detach(), () => nuwa.close(), () => undefined]) {
      const attachment = nuwa.attach(stage.player.asPlayer());
      stage.attached.push(attachment);
      await vi.waitFor(() => expect(attachment.session()).toEqual({ kind: "open" }));
      end();
      attachment.detach();
    }
    expect(stage.opened).toHaveLength(3);
  });

  it("refuses a second player while the first has it", () => {
    const nuwa = prepareFake();
    stage.attached.push(nuwa.attach(stage.player.asPlayer()));
    expect(() => nuwa.attach(new FakePlayer().asPlayer())).toThrow(/another player's; detach\(\) that/);
  });
});

describe("a detached attachment", () => {
  it("has put the player's settings, rules and throughput back", async () => {
    const before = structuredClone(stage.player.settings) as MediaPlayerSettingClass;
    const { getAverageThroughput } = stage.player.throughput;
    const attachment = await attach();
    stage.player.beginStream(ownDecision);
    stage.player.decide();
    attachment.detach();
    expect(stage.player.settings).toMatchObject(before);
    expect(stage.player.rules.size).toBe(0);
    expect(stage.player.throughput.getAverageThroughput).toBe(getAverageThroughput);
    expect([...stage.player.listeners.values()].every(({ size }) => size === 0)).toBe(true);
  });

  it("leaves decisions to dash.js, which still asks the rule that it was given", async () => {
    const attachment = await attach();
    measure();
    stage.player.beginStream(ownDecision);
    attachment.detach();
    expect(stage.player.decide()?.rule).toBe("ThroughputRule");
    expect(attachment.records().switches).toEqual([]);
  });

  it("leaves segments to XHR", async () => {
    const attachment = await attach();
    attachment.detach();
    const sent = vi.spyOn(FakeXhr.prototype, "open");
    vi.stubGlobal("XMLHttpRequest", FakeXhr);
    const url = "http://localhost:8080/media/seg.m4s";
    loadSegment(url);
    expect(sent).toHaveBeenCalledWith("GET", url, true);
    expect(attachment.path()).toEqual({ kind: "http", reason: "the library is detached" });
  });

  it("tells nothing any more: to be taken off is no fallback", async () => {
    const heard = vi.fn();
    const nuwa = prepareFake();
    const attachment = nuwa.attach(stage.player.asPlayer());
    for (const type of ["path", "session", "estimate", "switch", "segment"] as const) {
      attachment.on(type, heard);
    }
    await vi.waitFor(() => expect(attachment.path().kind).toBe("webtransport"));
    heard.mockClear();
    attachment.detach();
    nuwa.close();
    measure();
    expect(heard).not.toHaveBeenCalled();
  });

  it("no longer tells the receiver what the player needs", async () => {
    stage.player.source = "http://localhost:8080/film/manifest.mpd";
    const attachment = await attach();
    for (const atMs of [0, 100, 449, 450, 950]) measure(atMs);
    const need = { rateBytesPerSecond: HIGH.bandwidth / 8, bufferSeconds: 10, fullBufferSeconds: 18 };
    expect(stage.told).toEqual([need, need, need]);
    attachment.detach();
    measure(2000);
    expect(stage.told).toHaveLength(3);
  });

  it("makes room for another", async () => {
    const first = await attach();
    first.detach();
    first.detach();
    const second = await attach();
    expect(second.path().kind).toBe("webtransport");
    expect(stage.opened).toHaveLength(2);
  });
});
