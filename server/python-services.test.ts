import { expect, test } from "vitest";
import { FilmShelf } from "./films/film-shelf.ts";
import { createLog } from "./log.ts";
import { relayService, transportService } from "./python-services.ts";
import { parseStartOptions } from "./setup/options.ts";

/** The key of stateless resets that the media server gets. */
function resetKey(environment: NodeJS.ProcessEnv): string | undefined {
  const films = new FilmShelf([]);
  const log = createLog("error", () => undefined);
  const options = parseStartOptions([], {});
  return transportService({ options, origins: [], films, log, environment }).env?.NUWA_RESET_KEY;
}

test("the media server offers the schemes that viewers may choose", () => {
  const films = new FilmShelf([]);
  const log = createLog("error", () => undefined);
  const argsFor = (...args: readonly string[]) =>
    transportService({ options: parseStartOptions(args, {}), origins: [], films, log }).args.join(" ");
  expect(argsFor("--schemes", "kuafu,cubic")).toContain("--schemes kuafu,cubic");
  expect(argsFor()).not.toContain("--schemes");
});

test("the key of resets is the one that this process was given, else one by chance", () => {
  expect(resetKey({ NUWA_RESET_KEY: "0f".repeat(32) })).toBe("0f".repeat(32));
  expect(resetKey({ NUWA_RESET_KEY: "" })).toMatch(/^[0-9a-f]{64}$/);
  expect(resetKey({})).not.toBe(resetKey({}));
});

test("workers that share a port take one, and a link's lanes follow it", () => {
  const log = createLog("error", () => undefined);
  const of = (...args: readonly string[]) => {
    const options = parseStartOptions(["--udp-port", "4433", "--workers", "3", ...args], {});
    const { args: media } = transportService({ options, origins: [], films: new FilmShelf([]), log });
    return { isAsked: media.includes("--shared-port"), lanes: relayService(options, log).ports };
  };
  expect(of()).toEqual({ isAsked: false, lanes: [4436, 4437] });
  expect(of("--shared-port")).toEqual({ isAsked: true, lanes: [4434, 4435] });
});
