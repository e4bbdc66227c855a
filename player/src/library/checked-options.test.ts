import type { MediaPlayerClass } from "dashjs";
import { expect, it, vi } from "vitest";
import type { PresetName } from "../options/names.ts";
import { attachNuwa } from "./attach.ts";
import type { EstimatorName, NuwaOptions } from "./nuwa-api.ts";
import { attach, prepareFake, SERVER, setStage, stage } from "./testing/sample-attachment.ts";

setStage();

it.each([
  ["a second attachment", { server: SERVER }, /attached to this player already/],
  [
    "an unknown preset",
    { server: SERVER, preset: "fast" as PresetName },
    /no preset fast; choose one of on-demand/,
  ],
  [
    "an unknown estimator",
    { server: SERVER, estimator: "dash.js" as EstimatorName },
    /no estimator dash\.js; choose one of receiver, dashjs\./,
  ],
  ["a URL that is none", { server: SERVER, baseUrl: "http://" }, /^baseUrl is no URL: http:\/\/$/],
  ["an address document's that is none", { server: "http://[bad" }, /^server is no URL: http:\/\/\[bad$/],
  [
    "a collector that is none",
    { server: SERVER, cmcd: { collector: "http://" } },
    /^cmcd.collector is no URL: http:\/\/$/,
  ],
] as const)("refuses %s", (name, options, message) => {
  if (name === "a second attachment") {
    attachNuwa(stage.player.asPlayer(), { server: null });
  }
  expect(() => attachNuwa(stage.player.asPlayer(), options)).toThrow(message);
});

it.each([
  [null, "options must be of type object, not null."],
  [{ server: SERVER, baseUrl: null }, "baseUrl must be of type string or URL, not null."],
  [{ server: SERVER, scheme: null }, "scheme must be of type string, not null."],
  [{ server: SERVER, preset: null }, "preset must be of type string or object, not null."],
  [{ server: SERVER, fallback: "false" }, 'fallback must be of type boolean, not "false".'],
  [{ server: SERVER, skipUndecodable: 0 }, "skipUndecodable must be of type boolean, not 0."],
  [{ server: SERVER, createWorker: null }, "createWorker must be of type function, not null."],
  [{ server: SERVER, cmcd: null }, "cmcd must be of type object, not null."],
  [{ server: SERVER, estimator: null }, "estimator must be of type string, not null."],
  [{ server: SERVER, rule: 5 }, "rule must be of type string or null, not 5."],
  [new URL("https://film.example/nuwa.json"), "options must be of type object, not [object URL]."],
  [{}, "server must be of type string or URL or array or object or function or null, not undefined."],
  [
    { server: SERVER, preset: { targetDelayMs: 25, rhoMs: 15, k: 5, catchesUp: "false" } },
    'catchesUp must be of type boolean, not "false".',
  ],
  [
    { server: SERVER, policies: { folder: "/p/" } },
    "policies.runtime must be of type string or URL, not undefined.",
  ],
])("refuses an option of another type, as a page without types may say it: %j", (options, sentence) => {
  expect(() => attachNuwa(stage.player.asPlayer(), options as unknown as NuwaOptions)).toThrow(
    new TypeError(sentence),
  );
});

it("refuses a player that is none of dash.js, and an event that there is not", async () => {
  const noPlayer = undefined as unknown as MediaPlayerClass;
  expect(() => attachNuwa(noPlayer, { server: null })).toThrow(
    /^The player must be one of dash\.js, .* not undefined/,
  );
  const attachment = await attach();
  expect(() => attachment.on("estimat" as "estimate", vi.fn())).toThrow(
    /no event estimat; choose one of path, est/,
  );
  expect(() => attachment.change("kuafu" as never)).toThrow(
    'what change() takes must be of type object, not "kuafu".',
  );
});

it("tells of an option that there is not, which a page without types may misspell", async () => {
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  const attachment = await attach({ baseURL: "/film/", rule: null } as Partial<NuwaOptions>);
  attachment.change({ scheme: "cubic", rule: "bba" } as { scheme: "cubic" });
  attachment.change({ scheme: "cubic", baseUrl: undefined } as { scheme: "cubic" });
  expect(warned.mock.calls.map(String)).toEqual([
    "There is no option baseURL here; there are server, scheme, preset, fallback, policies, createWorker, baseUrl, rule, " +
      "estimator, cmcd, skipUndecodable.",
    "There is no option rule here; there are scheme, preset.",
  ]);
});

it("has opened and taken nothing where it refuses its options", async () => {
  expect(() => prepareFake({ baseUrl: "http://" })).toThrow(TypeError);
  expect(stage.opened).toEqual([]);
  expect((await attach()).path().kind).toBe("webtransport");
});
