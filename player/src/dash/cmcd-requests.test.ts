// @vitest-environment happy-dom
import { MediaPlayer, type MediaPlayerClass } from "dashjs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type CmcdOptions, cmcdSettings } from "./cmcd-settings.ts";
import type { CommonMediaRequest, SegmentLoader } from "./dashjs-internals.ts";
import { PlayerExtensions } from "./player-extensions.ts";

/** core/FactoryMaker.js, as far as a test makes parts of dash.js by it. */
interface Factory {
  getSingletonInstance(context: object, name: string): object;
  getClassFactoryByName(name: string): (context: object) => { create(parts: object): object };
}

interface HttpLoader {
  load(configuration: object): void;
  abort(): void;
}

const URL_OF_SEGMENT = "http://localhost:8080/media/seg-3-00007.m4s";

let player: MediaPlayerClass;
let loads: CommonMediaRequest[];
const abort = vi.fn();

/** dash.js's own HTTPLoader and CMCD, in a player that the library has extended; nothing is sent. */
function httpLoader(cmcd: CmcdOptions): HttpLoader {
  let scope: { context: object; factory: Factory } | null = null;
  const loader: SegmentLoader = {
    load(request) {
      loads.push(request);
      request.customData.abort = abort;
      return true;
    },
    abort: () => undefined,
    reset: () => undefined,
    resetInitialSettings: () => undefined,
  };
  PlayerExtensions.of(player);
  player.extend("XHRLoader", () => loader, false);
  player.extend(
    "AbrController",
    function (this: { context: object; factory: Factory }) {
      scope = this;
      return {};
    },
    true,
  );
  player.updateSettings(cmcdSettings(cmcd, ["br", "sid"]));
  player.initialize();
  const { context, factory } = scope as unknown as { context: object; factory: Factory };
  const make = (name: string, parts: object): object =>
    factory.getClassFactoryByName(name)(context).create(parts);
  const single = (name: string): object => factory.getSingletonInstance(context, name);
  (single("CmcdController") as { initialize(): void }).initialize();
  make("ABRRulesCollection", {}); // as at the beginning of a source
  return make("HTTPLoader", {
    dashMetrics: single("DashMetrics"),
    mediaPlayerModel: single("MediaPlayerModel"),
    errHandler: {},
    errors: {},
  }) as HttpLoader;
}

async function ask(http: HttpLoader): Promise<CommonMediaRequest> {
  const request = { type: "MediaSegment", mediaType: "video", url: URL_OF_SEGMENT, retryAttempts: 0 };
  http.load({ request });
  return vi.waitUntil(() => loads[0]);
}

beforeEach(() => {
  vi.stubGlobal("MediaSource", class {});
  loads = [];
  abort.mockClear();
  player = MediaPlayer().create();
});

afterEach(() => {
  player.destroy();
  vi.unstubAllGlobals();
});

it("dash.js's abort reaches a loader that was handed a copy of its request", async () => {
  const http = httpLoader({ sessionId: "s" });
  const { url } = await ask(http);
  expect(url).toContain("CMCD=");
  http.abort();
  expect(abort).toHaveBeenCalledOnce();
});

it("a request carries CMCD in its headers where it was asked to", async () => {
  const { url, headers } = await ask(httpLoader({ sessionId: "s", requests: "header" }));
  expect(url).toBe(URL_OF_SEGMENT);
  expect(headers).toMatchObject({ "CMCD-Session": expect.stringContaining('sid="s"') });
});
