import { expect, test } from "vitest";
import { baselineOf, expandMatrix, loadedLink } from "./matrix.ts";
import { type MatrixRequest, parseMatrixOptions } from "./options.ts";

const KNOWN = {
  schemes: ["nuwa", "cubic"],
  receiverDriven: ["nuwa"],
  presets: ["on-demand", "live"],
  defaultPreset: "on-demand",
};
const TRACES = {
  name: "t",
  downlink: "1\n1000\n",
  uplink: "1\n",
  downlinkSha256: "down",
  uplinkSha256: "up",
};

function request(line: string): MatrixRequest {
  return parseMatrixOptions(line.split(" "), KNOWN) as MatrixRequest;
}

function expand(line: string) {
  const asked = request(line);
  return expandMatrix(
    asked,
    asked.links.map((choice) => loadedLink(choice, TRACES)),
  );
}

test("every scheme meets every link in every place with every seed, back and forth", () => {
  const conditions = expand("--schemes nuwa,cubic --links a,b --on simulation,relay --seeds 2");
  expect(conditions.map(({ place, link }) => `${link.choice.trace} ${place}`)).toEqual([
    ...["a simulation", "a relay", "b simulation", "b relay"],
  ]);
  const [first, second] = conditions;
  expect(first?.runs.map(({ arm, seed }) => `${arm.name} ${seed}`)).toEqual([
    "nuwa 1",
    "cubic 1",
    "cubic 2",
    "nuwa 2",
  ]);
  expect(second?.references.map(({ place, arm, seed }) => `${arm.name} ${place} ${seed}`)).toEqual([
    ...["omniscient simulation 1", "omniscient simulation 2"],
  ]);
});

test("seeds begin in different places of the trace, all schemes in the same", () => {
  const starts = (line: string) => expand(line)[0]?.runs.map(({ link }) => link.startMs);
  expect(starts("--schemes nuwa,cubic --seeds 2")).toEqual([0, 0, 618, 618]);
  expect(starts("--schemes nuwa,cubic --seeds 2 --starts same")).toEqual([0, 0, 0, 0]);
});

test("the scheme under test stands where self stands, with its preset", () => {
  const [condition] = expand("--schemes nuwa:preset=live,cubic --flows self,cubic@10:rtt=100");
  expect(condition?.arms.map(({ name }) => name)).toEqual(["nuwa (live)", "cubic"]);
  expect(condition?.arms[0]?.flows).toMatchObject([
    { scheme: "nuwa", preset: "live", startSeconds: 0, extraRttMs: 0 },
    { scheme: "cubic", preset: "live", startSeconds: 10, extraRttMs: 60 },
  ]);
});

test("flows that name every scheme are one arm", () => {
  const [condition] = expand("--flows nuwa,cubic@5");
  expect(condition?.arms.map(({ name }) => name)).toEqual(["nuwa,cubic@5"]);
});

test("a path is not shorter than the link's", () => {
  expect(() => expand("--schemes nuwa --flows self:rtt=30")).toThrow(
    "rtt=30 is less than the 40 ms of the link 24mbit",
  );
});

test("whoever knows the link is simulated alone, and not run twice", () => {
  expect(expand("--schemes omniscient,nuwa")[0]?.references).toEqual([]);
  expect(() => expand("--schemes omniscient,nuwa --on relay")).toThrow(
    "omniscient exists in simulation alone, not on relay",
  );
});

test("two arms with one name are refused", () => {
  expect(() => expand("--schemes nuwa,nuwa:preset=on-demand")).toThrow("--schemes: nuwa is there twice");
});

test("the baseline is the first arm, or the one that is named", () => {
  const arms = expand("--schemes nuwa,cubic")[0]?.arms ?? [];
  expect(baselineOf(request("--schemes nuwa,cubic"), arms).name).toBe("nuwa");
  expect(baselineOf(request("--schemes nuwa,cubic --baseline cubic"), arms).name).toBe("cubic");
  expect(() => baselineOf(request("--schemes nuwa,cubic --baseline bbr"), arms)).toThrow(
    "--baseline bbr: choose one of nuwa, cubic",
  );
});
