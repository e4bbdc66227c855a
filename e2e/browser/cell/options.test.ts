import { expect, test } from "vitest";
import { OptionError, parseOptions, usage } from "./options.ts";

const KNOWN = { schemes: ["nuwa", "cubic"], presets: ["on-demand", "live"], rules: ["nuwa", "bola"] };

test("without options: Nuwa plays the demo film over 24 Mbit/s", () => {
  expect(parseOptions([], KNOWN)).toMatchObject({
    name: "nuwa-film-24mbit",
    scheme: "nuwa",
    link: { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 },
    workload: { kind: "film", source: { kind: "demo" }, watchSeconds: 60 },
  });
});

test("a bulk download without a link", () => {
  const cell = parseOptions(["--scheme", "cubic", "--link", "none", "--bulk", "1000000"], KNOWN);
  expect(cell).toMatchObject({
    name: "cubic-bulk-loopback",
    link: null,
    workload: { kind: "bulk", bytes: 1e6 },
  });
});

test("help is no cell, and lists what is registered", () => {
  expect(parseOptions(["--help"], KNOWN)).toBeNull();
  expect(usage(KNOWN)).toContain("nuwa, cubic");
});

test.each([
  [["--scheme", "moon"], "--scheme moon: choose one of nuwa, cubic"],
  [["--estimator", "mine"], "--estimator mine: choose one of nuwa, dashjs"],
  [["--via", "air"], "--via air: choose one of mahimahi, relay"],
  [["--loss", "1"], "--loss 1: give a number from 0 to 0.5"],
  [["--delay", "1001"], "--delay 1001: give a number from 0 to 1000"],
  [["--queue", "2.5"], "--queue 2.5: give whole packets"],
  [["--seconds", ""], "--seconds : give a number from 1 to 86400"],
  [["--film", "/no/such.mp4"], "--film /no/such.mp4: there is no such file"],
  [["--bulk", "5", "--film", "x.mp4"], "give either --bulk or --film, not both"],
  [["--nonsense"], "Unknown option '--nonsense'; see --help"],
])("%j is refused in one sentence", (args, message) => {
  expect(() => parseOptions(args, KNOWN)).toThrow(new OptionError(message));
});
