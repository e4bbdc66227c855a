import { afterEach, expect, it, vi } from "vitest";
import { FilmVmaf } from "./film-vmaf.ts";

const QUALITY = {
  schema: 1,
  segmentSeconds: [2, 2, 1],
  rungs: [
    { representation: "0", vmaf: [30, 40, 50] },
    { representation: "1", vmaf: [60, 70, 80] },
  ],
};

afterEach(() => vi.unstubAllGlobals());

/** Answers each URL in turn; null is "not found". */
async function looked(answer: unknown, url = "https://films.test/a/manifest.mpd") {
  const asked = vi.fn(async (_url: string) =>
    answer === null ? new Response(null, { status: 404 }) : new Response(JSON.stringify(answer)),
  );
  vi.stubGlobal("fetch", asked);
  const vmaf = new FilmVmaf();
  await vmaf.look(url);
  return { vmaf, asked };
}

it("knows the segments from a time on, in the order of the rungs that are asked for", async () => {
  const { vmaf, asked } = await looked(QUALITY);
  expect(asked.mock.calls).toEqual([["https://films.test/a/quality.json"]]);
  expect(vmaf.ahead(["1", "0"], 2.04)).toEqual([
    [70, 80],
    [40, 50],
  ]);
  expect(vmaf.ahead(["0"], 100)).toEqual([[50]]);
});

it("knows the segment before one, where there is one", async () => {
  const { vmaf } = await looked(QUALITY);
  expect([vmaf.before("1", 2.04), vmaf.before("0", 4)]).toEqual([60, 40]);
  expect([vmaf.before("1", 0), vmaf.before("2", 2)]).toEqual([null, null]);
});

it("looks once for a manifest that is loaded again", async () => {
  const { vmaf, asked } = await looked(QUALITY);
  await vmaf.look("https://films.test/a/manifest.mpd");
  expect(asked).toHaveBeenCalledTimes(1);
});

it("knows nothing of a rung that was not measured", async () => {
  const { vmaf } = await looked(QUALITY);
  expect(vmaf.ahead(["0", "2"], 0)).toBeNull();
});

it.each([
  ["at another place", "https://films.test/b/manifest.mpd"],
  ["without a URL", null],
])("forgets a film for the next one, %s", async (_where, manifestUrl) => {
  const { vmaf } = await looked(QUALITY);
  vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }));
  await vmaf.look(manifestUrl);
  expect(vmaf.ahead(["0"], 0)).toBeNull();
});

it.each([
  ["no server", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["no JSON", async () => new Response("<html>")],
])("says so where there is %s", async (_what, answer) => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.stubGlobal("fetch", answer);
  const vmaf = new FilmVmaf();
  await vmaf.look("https://films.test/a/manifest.mpd");
  expect(vmaf.ahead(["0"], 0)).toBeNull();
  expect(warned.mock.calls).toEqual([[expect.stringContaining("https://films.test/a/quality.json: ")]]);
  warned.mockRestore();
});

it.each([
  ["no file", null],
  ["another schema", { ...QUALITY, schema: 2 }],
  ["a segment too few", { ...QUALITY, segmentSeconds: [2, 2] }],
  ["a word for a number", { ...QUALITY, segmentSeconds: [2, 2, "1"] }],
  ["rungs without names", { ...QUALITY, rungs: [{ vmaf: [1, 2, 3] }] }],
  ["a list", []],
])("knows nothing by %s", async (_what, answer) => {
  const { vmaf } = await looked(answer);
  expect(vmaf.ahead(["0"], 0)).toBeNull();
});
