import { describe, expect, test } from "vitest";
import { type FlowContext, parseFlows, parseScheme } from "./flow-syntax.ts";

const CONTEXT: FlowContext = {
  schemes: ["nuwa", "cubic"],
  receiverDriven: ["nuwa"],
  presets: ["on-demand", "live"],
  preset: "on-demand",
  durationSeconds: 60,
};
const PLAIN = { preset: null, startSeconds: 0, stopSeconds: null, rttMs: null, source: { kind: "bulk" } };

describe("schemes", () => {
  test("a preset may be chosen", () => {
    expect(parseScheme("nuwa", CONTEXT)).toEqual({ scheme: "nuwa", preset: "on-demand" });
    expect(parseScheme("nuwa:preset=live", CONTEXT)).toEqual({ scheme: "nuwa", preset: "live" });
  });

  test.each([
    ["bbr", 'scheme "bbr" is unknown: choose of nuwa, cubic, omniscient'],
    ["nuwa:preset=dead", 'preset "dead" is unknown: choose of on-demand, live'],
    ["nuwa:k=3", '--schemes nuwa:k=3: "k" is no setting here; there is preset'],
  ])("%s is refused", (text, message) => {
    expect(() => parseScheme(text, CONTEXT)).toThrow(message);
  });
});

describe("flows", () => {
  test("a number is so many of the scheme under test", () => {
    expect(parseFlows("2", CONTEXT)).toEqual([
      { scheme: "self", ...PLAIN },
      { scheme: "self", ...PLAIN },
    ]);
  });

  test("a list names scheme, count, time, path, preset and source", () => {
    const flows = "self, cubic*2@10-40:rtt=80, nuwa@0.5:preset=live:source=on-off/500000/2";
    const cubic = { scheme: "cubic", ...PLAIN, startSeconds: 10, stopSeconds: 40, rttMs: 80 };
    const source = { kind: "on-off", onBytes: 500_000, offSeconds: 2 };
    expect(parseFlows(flows, CONTEXT)).toEqual([
      { scheme: "self", ...PLAIN },
      cubic,
      cubic,
      { scheme: "nuwa", ...PLAIN, startSeconds: 0.5, preset: "live", source },
    ]);
  });

  test.each([
    ["0", "--flows 0: give from 1 to 64 flows"],
    ["65", "give from 1 to 64 flows"],
    ["bbr@10", 'scheme "bbr" is unknown: choose of self, nuwa, cubic, omniscient'],
    ["self@60", "--flows self@60: a flow begins, then stops, within the run's 60 s"],
    ["self@40-10", "a flow begins, then stops, within the run's 60 s"],
    ["self@0-61", "a flow begins, then stops, within the run's 60 s"],
    ["self@1.25", '"1.25" is no time: seconds, at most tenths of them'],
    ["self@soon", '"soon" is no time'],
    ["self:rtt=0", "--flows self:rtt=0: rtt 0: give a number of ms"],
    ["self:source=film", "source=film is neither bulk nor on-off/BYTES/SECONDS"],
    ["self:start=3", '"start" is no setting here; there is preset, rtt, source'],
  ])("%s is refused", (text, message) => {
    expect(() => parseFlows(text, CONTEXT)).toThrow(message);
  });
});
