import { expect, test } from "vitest";
import { OptionError, parseOptions, usage } from "./options.ts";

const KNOWN = {
  schemes: ["nuwa", "cubic"],
  presets: ["on-demand", "live"],
  rules: ["nuwa", "bola"],
} as const;

test("without options: Nuwa plays the demo film over 24 Mbit/s", () => {
  expect(parseOptions([], KNOWN)).toMatchObject({
    kind: "run",
    cell: {
      name: "nuwa-film-24mbit",
      scheme: "nuwa",
      link: { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0, seed: 1 },
      workload: { kind: "film", source: { kind: "demo" }, watchSeconds: 60 },
    },
  });
});

test("a bulk download without a link", () => {
  const asked = parseOptions(["--scheme", "cubic", "--link", "none", "--bulk", "1000000"], KNOWN);
  expect(asked).toMatchObject({
    kind: "run",
    cell: { name: "cubic-bulk-loopback", link: null, workload: { kind: "bulk", bytes: 1e6 } },
  });
});

test("a seed reaches the schemes and the relay's losses", () => {
  expect(parseOptions(["--seed", "7"], KNOWN)).toMatchObject({
    cell: { link: { seed: 7 }, mediaServer: ["-m", "transport", "serve", "--workers", "1", "--seed", "7"] },
  });
});

test("the media server's datagrams may be held to one size", () => {
  expect(parseOptions(["--max-datagram-bytes", "1200"], KNOWN)).toMatchObject({
    cell: { mediaServer: expect.arrayContaining(["--max-datagram-bytes", "1200"]) },
  });
});

test("options are only looked at where that is asked", () => {
  expect(parseOptions(["--check", "--rule", "bola"], KNOWN)).toMatchObject({
    kind: "check",
    cell: { rule: "bola" },
  });
});

test("help is no cell, and lists what is registered", () => {
  expect(parseOptions(["--help"], KNOWN)).toEqual({ kind: "help" });
  expect(usage(KNOWN)).toContain("nuwa, cubic");
});

test.each([
  [["--scheme", "moon"], "--scheme moon: choose one of nuwa, cubic"],
  [["--estimator", "mine"], "--estimator mine: choose one of receiver, dashjs"],
  [["--via", "air"], "--via air: choose one of mahimahi, relay"],
  [["--loss", "1"], "--loss 1: give a number from 0 to 0.5"],
  [["--delay", "1001"], "--delay 1001: give a number from 0 to 1000"],
  [["--queue", "2.5"], "--queue 2.5: give whole packets"],
  [["--seed", "0.5"], "--seed 0.5: give a number from 1 to 2147483648"],
  [["--max-datagram-bytes", "1199"], "--max-datagram-bytes 1199: give a number from 1200 to 1472"],
  [["--seconds", ""], "--seconds : give a number from 1 to 86400"],
  [["--film", "/no/such.mp4"], "--film /no/such.mp4: there is no such file"],
  [["--bulk", "5", "--film", "x.mp4"], "give either --bulk or --film, not both"],
  [["--nonsense"], "Unknown option '--nonsense'; see --help"],
])("%j is refused in one sentence", (args, message) => {
  expect(() => parseOptions(args, KNOWN)).toThrow(new OptionError(message));
});
