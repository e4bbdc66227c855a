import { describe, expect, it } from "vitest";
import { SAMPLE_CONFIG } from "../testing/sample-config.ts";
import { readChoices, sessionParameters, toQuery, withChosenFilm } from "./choices.ts";
import { unknownParameters } from "./parameters.ts";

const read = (query: string) => readChoices(new URLSearchParams(query), SAMPLE_CONFIG);

describe("the film", () => {
  const chosen = (query: string) => withChosenFilm(new URLSearchParams(query), SAMPLE_CONFIG);

  it("is the query's, else the first", () => {
    expect(chosen("").film.name).toBe("demo");
    expect(chosen("film=away&rule=nuwa").film.title).toBe("Away");
    expect(() => chosen("film=gone")).toThrow("There is no film called gone; choose one of demo, away.");
  });

  it("is told to be missing where the only one could not be encoded", () => {
    const without = { ...SAMPLE_CONFIG, films: [] };
    expect(() => withChosenFilm(new URLSearchParams(), without)).toThrow("This server has no film to play: ");
  });

  it("from another server comes over HTTP, with dash.js's own estimate", () => {
    const query = new URLSearchParams("film=away&transport=webtransport&estimator=receiver");
    expect(readChoices(query, chosen("film=away"))).toMatchObject({ transport: "http", estimator: "dashjs" });
  });
});

describe("choices", () => {
  it("are the server's defaults where the query is silent", () => {
    expect(read("")).toEqual({
      scheme: "nuwa",
      preset: "on-demand",
      rule: "nuwa",
      estimator: "receiver",
      k: null,
      targetDelayMs: null,
      autoplay: true,
      muted: false,
      transport: "webtransport",
      bufferSeconds: null,
    });
  });

  it("have dash.js's own estimate over HTTP, where no receiver measures", () => {
    expect(read("transport=http&estimator=receiver")).toMatchObject({
      transport: "http",
      estimator: "dashjs",
    });
  });

  it("come from the query", () => {
    expect(
      read("scheme=cubic&rule=dynamic&estimator=dashjs&transport=http&muted=1&autoplay=0"),
    ).toMatchObject({
      scheme: "cubic",
      rule: "dynamic",
      estimator: "dashjs",
      transport: "http",
      muted: true,
      autoplay: false,
    });
  });

  it.each([
    ["scheme=bbr", "There is no scheme called bbr; choose one of nuwa, cubic."],
    ["k=12", "k must be a number from 1 to 9, not 12."],
    ["target_delay_ms=10001", "target_delay_ms must be a number from 1 to 10000, not 10001."],
    ["buffer_s=1", "buffer_s must be a number from 2 to 120, not 1."],
    ["muted=yes", "muted must be 0 or 1, not yes."],
    ["transport=tcp", "There is no transport called tcp; choose one of webtransport, http."],
    ["target_delay_ms=", "target_delay_ms must be a number from 1 to 10000, not ."],
  ])("refuse %s in one sentence", (query, sentence) => {
    expect(() => read(query)).toThrow(sentence);
  });

  it("become the preset's parameters, but for what is given", () => {
    expect(sessionParameters(read("preset=live&k=2.5"), SAMPLE_CONFIG)).toEqual({
      scheme: "nuwa",
      preset: "live",
      targetDelayMs: 30,
      rhoMs: 15,
      catchesUp: true,
      followsNeed: false,
      asInPaper: false,
      k: 2.5,
    });
  });

  it("overwrite a bad query when one is picked instead", () => {
    const query = new URLSearchParams("k=99&scheme=bbr&transport=tcp&buffer_s=0");
    expect(read(toQuery(query, read("")).toString())).toEqual(read(""));
  });

  it("go back into the query with everything else that was there", () => {
    const query = toQuery(new URLSearchParams("muted=1&scheme=nuwa&k=2"), {
      ...read("k=3"),
      scheme: "cubic",
    });
    expect(query.toString()).toBe("muted=1&scheme=cubic&k=3&preset=on-demand&rule=nuwa&estimator=receiver");
    expect(toQuery(new URLSearchParams("k=2"), read("")).has("k")).toBe(false);
  });
});

it("names what a query says that has no meaning", () => {
  const known = new URLSearchParams("scheme=nuwa&buffer_s=8&link=none&charts=0&telemetry=0");
  expect(unknownParameters(known)).toBeNull();
  expect(unknownParameters(new URLSearchParams("sheme=cubic&rule=bola&colour=red"))).toEqual({
    names: ["sheme", "colour"],
    known: expect.arrayContaining(["scheme", "preset", "rule", "link"]),
  });
});
