import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { OptionError } from "../browser/cell/options.ts";
import { asksForMatrix, parseMatrixOptions } from "./options.ts";

const KNOWN = {
  schemes: ["nuwa", "cubic"],
  receiverDriven: ["nuwa"],
  presets: ["on-demand", "live"],
  defaultPreset: "on-demand",
};

function parse(line: string) {
  return parseMatrixOptions(line.split(" "), KNOWN);
}

test("a benchmark's name asks for no matrix", () => {
  expect(asksForMatrix(["lte", "--repeats", "3"])).toBe(false);
  expect(asksForMatrix(["--help"])).toBe(false);
  expect(asksForMatrix(["--links=24mbit"])).toBe(true);
  expect(asksForMatrix(["--schemes", "nuwa"])).toBe(true);
});

test("what is not said is the default", () => {
  expect(parse("--schemes nuwa,cubic")).toMatchObject({
    schemes: [
      { scheme: "nuwa", preset: "on-demand" },
      { scheme: "cubic", preset: "on-demand" },
    ],
    links: [{ trace: "24mbit", delayMs: 20, queuePackets: 300, discipline: "droptail", lossRatio: 0 }],
    places: ["simulation"],
    seeds: 5,
    flows: [{ scheme: "self" }],
    durationSeconds: 30,
    spreadsStarts: true,
    acks: "chromium",
    baseline: null,
    jobs: availableParallelism(),
  });
  expect(parse("--schemes nuwa --jobs 3")?.jobs).toBe(3);
});

test("a link has settings of its own, besides those of all", () => {
  const request = parse(
    "--schemes nuwa --links 24mbit,lte-like:queue=none:delay=40,C:\\trace:loss=0.01 --queue 100",
  );
  expect(request?.links).toEqual([
    { trace: "24mbit", delayMs: 20, queuePackets: 100, discipline: "droptail", lossRatio: 0 },
    { trace: "lte-like", delayMs: 40, queuePackets: null, discipline: "droptail", lossRatio: 0 },
    { trace: "C:\\trace", delayMs: 20, queuePackets: 100, discipline: "droptail", lossRatio: 0.01 },
  ]);
});

test("help is no request", () => {
  expect(parse("--schemes nuwa --help")).toBeNull();
});

test.each([
  ["--schemes bbr", 'scheme "bbr" is unknown: choose of nuwa, cubic, omniscient'],
  ["--schemes nuwa,,cubic", "--schemes nuwa,,cubic: an entry is empty"],
  ["--schemes nuwa,nuwa", "--schemes nuwa,nuwa: nuwa is there twice"],
  ["--links 24mbit", "--schemes: name at least one scheme, or let --flows name all of them"],
  ["--schemes nuwa --flows cubic,nuwa@5", "--flows names every scheme: leave --schemes out, or write self"],
  ["--schemes nuwa --on moon", "--on moon: choose one of simulation, relay, mahimahi"],
  ["--schemes nuwa --seeds 0", "--seeds 0: give a number from 1 to 1000"],
  ["--schemes nuwa --jobs 0", "--jobs 0: give a number from 1 to 1000"],
  ["--schemes nuwa --seeds 1.5", "--seeds 1.5: give a whole number"],
  ["--schemes nuwa --queue many", "--queue many: give a number from 1 to 100000"],
  ["--schemes nuwa --links 24mbit:queue=0", "--links 24mbit:queue 0: give a number from 1 to 100000"],
  ["--schemes cubic,cubic:preset=live", "preset=live: cubic has none, only receiver-driven schemes do: nuwa"],
  ["--flows nuwa,cubic:preset=live", "preset=live: cubic has none, only receiver-driven schemes do: nuwa"],
  [
    "--schemes nuwa --links 24mbit:rtt=3",
    '"rtt" is no setting here; there is delay, queue, discipline, loss',
  ],
  [
    "--schemes nuwa --links 24mbit,3mbit:discipline=abc --on simulation,mahimahi",
    "--discipline abc: mahimahi has droptail, codel, pie only",
  ],
  [
    "--schemes nuwa --flows self*2:rtt=80 --discipline abc --on simulation,relay",
    "--discipline abc: on relay flows cannot have an rtt of their own, which marks do not survive",
  ],
  [
    "--schemes nuwa --acks every-packet --on mahimahi",
    "--acks every-packet: receivers on mahimahi acknowledge as",
  ],
  ["--schemes nuwa --qlog", "--qlog: only runs on relay or mahimahi have a server that writes one"],
  ["--schemes nuwa --preset dead", "--preset dead: choose one of on-demand, live"],
  ["--schemes nuwa --frobnicate", "Unknown option '--frobnicate'; see --help"],
])("%s is refused", (line, message) => {
  expect(() => parse(line)).toThrow(OptionError);
  expect(() => parse(line)).toThrow(message);
});
