import { expect, test } from "vitest";
import { FilmShelf } from "./films/film-shelf.ts";
import { createLog } from "./log.ts";
import { transportService } from "./python-services.ts";
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
