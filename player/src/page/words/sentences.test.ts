import { describe, expect, it } from "vitest";
import type { SwitchRecord } from "../../dash/play-log.ts";
import type { Snapshot } from "../nuwa-stream.ts";
import type { Choices } from "../query/choices.ts";
import { STEPS } from "../testing/sample-link.ts";
import {
  comparisonSentence,
  decisionsText,
  decisionTimeText,
  linkSentence,
  pathSentence,
  policySentence,
  qoeSentence,
  qoeSentences,
  summarySentence,
  switchSentence,
} from "./sentences.ts";

const link = { ...STEPS, name: "lte-like", title: "LTE-like", lossRatio: 0.005 };

describe("the path", () => {
  const nothing = { path: null, link: null, choices: null, failure: null, session: null };
  const webtransport = { ...nothing, path: { kind: "webtransport", reason: null } } as const;

  it("is told with the emulated link that it leads through", () => {
    expect(pathSentence(webtransport)).toBe("Over WebTransport");
    expect(pathSentence({ ...webtransport, link })).toBe(
      "Over WebTransport, through the emulated link “LTE-like”",
    );
    expect(pathSentence({ ...webtransport, link }, true)).toBe(
      "Over WebTransport, through the emulated link “LTE-like”, which all open pages share",
    );
  });

  it("over HTTP is told with its reason", () => {
    const path = { kind: "http", reason: "The media server does not answer." } as const;
    expect(pathSentence({ ...nothing, path })).toBe("Over HTTP: the media server does not answer");
    expect(pathSentence({ ...nothing, path, link })).toBe(
      "Over HTTP, round the emulated link: the media server does not answer",
    );
  });

  it("over HTTP is told not to last, where a session is tried again", () => {
    const path = { kind: "http", reason: "The media server is full." } as const;
    const sentence =
      "Over HTTP: the media server is full. WebTransport is tried again, after 60 s or so at the latest";
    expect(pathSentence({ ...nothing, path, session: "lost" })).toBe(sentence);
    expect(pathSentence({ ...nothing, path, session: "opening" })).toBe(sentence);
    expect(pathSentence({ ...nothing, path, session: "refused" })).toBe(
      "Over HTTP: the media server is full",
    );
  });

  it("over HTTP by choice has no reason but that", () => {
    const path = { kind: "http", reason: "no media server is given" } as const;
    const choices = { transport: "http" } as Choices;
    expect(pathSentence({ ...nothing, path, choices })).toBe("Over HTTP, by dash.js’s own loader");
    expect(pathSentence({ ...nothing, path, choices, link })).toBe(
      "Over HTTP, by dash.js’s own loader, round the emulated link",
    );
  });

  it("is not known before there is one", () => {
    expect(pathSentence({ ...nothing, failure: "No." })).toBe("Not playing; the notice says why");
    expect(pathSentence(nothing)).toBe("Connecting");
  });

  it("is none while a session that had nothing to do has made room", () => {
    const path = { kind: "connecting", reason: "the session had nothing to do" } as const;
    expect(pathSentence({ ...nothing, path, session: "idle" })).toBe(
      "No session until something is to be fetched: others needed its place",
    );
  });
});

describe("a learned policy", () => {
  const report = {
    scheme: "nuwa-rl",
    name: "nuwa-rl",
    state: "ready",
    trouble: null,
    detail: null,
    usesHeuristic: false,
    decided: 120,
    late: 1,
    failed: 0,
    medianMs: 0.14,
    p99Ms: 0.86,
  } as const;

  it("is no matter while it decides", () => {
    expect(policySentence(report, "Nuwa-RL")).toBeNull();
    expect(decisionsText(report)).toBe("120, 1 missed");
    expect(decisionTimeText(report)).toBe("0.1, p99 0.9 ms");
  });

  it("that cannot be used is told with its reason", () => {
    const trouble = "its policy nuwa-rl is not on the server";
    expect(policySentence({ ...report, trouble }, "Nuwa-RL")).toBe(
      "Nuwa-RL runs its heuristic: its policy nuwa-rl is not on the server.",
    );
  });

  it("has nothing to tell under other schemes", () => {
    expect(policySentence(null, "CUBIC")).toBeNull();
    expect(decisionsText(null)).toBe("–");
    expect(decisionTimeText(null)).toBe("–");
    expect(decisionTimeText({ ...report, medianMs: null, p99Ms: null })).toBe("–");
  });
});

it("tells what a link is like", () => {
  expect(linkSentence(link, true)).toBe(
    "20 ms each way, a queue of 300 packets, 0.5 % loss. All open pages share it.",
  );
  expect(linkSentence({ ...link, queuePackets: null, lossRatio: 0 }, false)).toBe(
    "20 ms each way, no limit to its queue. Each open page has its own.",
  );
  expect(linkSentence(null, false)).toBe("The network as it is; nothing is emulated.");
});

it("tells the running quality of experience", () => {
  const qoe = {
    sinceMs: null,
    startupSeconds: 0.584,
    stallCount: 1,
    stalledSeconds: 0.46,
    switches: 3,
    meanBitsPerSecond: 3.62e6,
    linear: 41.26,
    linearPerSegment: 2.751,
  };
  expect(qoeSentence(qoe, 0)).toBe(
    "First frame after 0.58 s, 1 stall (0.5 s), 3 switches, 3.6 Mbit/s on average; QoE_lin 41.3, 2.75 per segment.",
  );
  expect(qoeSentence({ ...qoe, startupSeconds: null, stallCount: 0, stalledSeconds: 0 }, 0)).toMatch(
    /^No stalls, 3/,
  );
  expect(qoeSentence({ ...qoe, linear: null }, 0)).toBe("Nothing was played yet.");
  const changed = { ...qoe, sinceMs: 5000, startupSeconds: null };
  expect(qoeSentence(changed, 70_400)).toMatch(/^Since the change 1:05 ago: 1 stall \(0\.5 s\), /);
  expect(qoeSentence({ ...changed, linear: null }, 6000)).toBe(
    "Since the change 0:01 ago: nothing that was fetched since is on the screen yet.",
  );
  expect(qoeSentences(qoe, qoe, 0)).toBe(qoeSentence(qoe, 0));
  expect(qoeSentences({ ...changed, linear: null }, qoe, 6000)).toBe(
    "Since the change 0:01 ago: nothing that was fetched since is on the screen yet. " +
      "Whole film: first frame after 0.58 s, 1 stall (0.5 s), 3 switches, 3.6 Mbit/s on average; QoE_lin 41.3, 2.75 per segment.",
  );
});

describe("the summary of the charts", () => {
  const snapshot = {
    estimate: { bandwidthBitsPerSecond: 11.4e6, queueingDelaySeconds: 0.021, targetDelaySeconds: 0.06 },
    dashjsBitsPerSecond: 9.8e6,
    playedBitsPerSecond: 5e6,
    bufferSeconds: 14.2,
    stallCount: 1,
  } as Snapshot;
  const overHttp = { ...snapshot, estimate: null };
  const empty = { ...overHttp, dashjsBitsPerSecond: null, playedBitsPerSecond: null };

  it("waits for something on the screen", () => {
    expect(summarySentence(empty)).toBeNull();
    expect(comparisonSentence([empty, empty], ["Nuwa", "CUBIC"])).toBeNull();
  });

  it("tells what there is", () => {
    expect(summarySentence(snapshot)).toBe(
      "Now: bandwidth 11.4 Mbit/s by the receiver, 9.8 Mbit/s by dash.js; queueing delay 21 ms with a target of 60 ms; " +
        "14 s of buffer; 5.0 Mbit/s on the screen; 1 stall so far.",
    );
    expect(summarySentence(overHttp)).toBe(
      "Now: bandwidth 9.8 Mbit/s by dash.js; 14 s of buffer; 5.0 Mbit/s on the screen; 1 stall so far.",
    );
    expect(comparisonSentence([snapshot, empty], ["Nuwa", "CUBIC"])).toBe(
      "Now: Nuwa 5.0 Mbit/s, queueing delay 21 ms, 14 s of buffer, 1 stall so far; " +
        "CUBIC nothing on the screen yet, 14 s of buffer, 1 stall so far.",
    );
  });
});

describe("the last switch", () => {
  const record = (changes: Partial<SwitchRecord>): SwitchRecord => ({
    atMs: 0,
    fromBitsPerSecond: 2.5e6,
    toBitsPerSecond: 5e6,
    rule: "nuwa",
    decidedBy: "NuwaRule",
    reason: null,
    ...changes,
  });

  it("by NuwaRule is told with the numbers of its plan", () => {
    const reason = {
      why: "plan",
      bandwidthBitsPerSecond: 11.42e6,
      safety: 0.92,
      bufferSeconds: 14.24,
      queueingDelaySeconds: 0.038,
      predictedBufferSeconds: 9.81,
      predictedStallSeconds: 0,
    };
    expect(switchSentence(record({ reason }))).toBe(
      "2.50 → 5.00 Mbit/s by NuwaRule: counting on 92 % of 11.4 Mbit/s, 14.2 s buffered and 38 ms of queue, " +
        "about 9.8 s of buffer after it.",
    );
    expect(switchSentence(record({ reason: { ...reason, predictedStallSeconds: 1.2 } }))).toContain(
      "a stall of 1.2 s to be expected.",
    );
  });

  it("after a download was given up says what it would have cost", () => {
    const reason = {
      why: "download would stall",
      bufferSeconds: 1.5,
      remainingSeconds: 4.2,
      replacementSeconds: 0.8,
      bandwidthBitsPerSecond: 1.1e6,
    };
    expect(switchSentence(record({ toBitsPerSecond: 1e6, reason }))).toBe(
      "2.50 → 1.00 Mbit/s by NuwaRule: the download would have taken 4.2 s more with 1.5 s of buffer left; " +
        "its replacement takes 0.8 s at 1.1 Mbit/s.",
    );
  });

  it.each([
    [
      "ThroughputRule",
      { throughput: 5430, latency: 0.1 },
      "dash.js’s throughput rule: a throughput of 5.4 Mbit/s.",
    ],
    [
      "BolaRule",
      { state: "BOLA_STATE_STEADY", throughput: 5430, bufferLevel: 12.34 },
      "dash.js’s BOLA rule: a throughput of 5.4 Mbit/s, 12.3 s buffered.",
    ],
    [
      "InsufficientBufferRule",
      { bitrate: 1200 },
      "dash.js’s insufficient buffer rule: at most 1.2 Mbit/s before the buffer is empty.",
    ],
    ["SwitchHistoryRule", { drops: 6 }, "dash.js’s switch history rule: 6 steps down before from here."],
    ["MyRule", null, "MyRule."],
    ["MyRule", { why: "80 % of the bandwidth carries it" }, "MyRule: 80 % of the bandwidth carries it."],
  ])("by %s is told with what it gives", (decidedBy, reason, end) => {
    expect(switchSentence(record({ decidedBy, reason }))).toBe(`2.50 → 5.00 Mbit/s by ${end}`);
  });

  it("is none at the beginning", () => {
    expect(switchSentence(null)).toBe("No bitrate was chosen yet.");
    expect(switchSentence(record({ fromBitsPerSecond: null, decidedBy: "start" }))).toBe(
      "Began with 5.00 Mbit/s, before anything was measured.",
    );
  });
});
