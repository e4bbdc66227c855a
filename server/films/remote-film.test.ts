import { expect, test } from "vitest";
import { Problem } from "../problem.mjs";
import { fetchManifest, remoteFilm } from "./remote-film.ts";
import { mpd, SEGMENTED } from "./sample-manifest.ts";
import { ok, startOrigin } from "./sample-origin.ts";

const OPEN = { "Access-Control-Allow-Origin": "*" };
const { signal } = new AbortController();

test("a manifest of another server is a film that plays from there", async () => {
  const { url } = await startOrigin({
    "/old": (response) => response.writeHead(302, { Location: "/films/city/manifest.mpd?key=1" }).end(),
    "/films/city/manifest.mpd?key=1": ok(mpd(`<BaseURL>http://cdn.example/</BaseURL>${SEGMENTED}`), OPEN),
  });
  expect(remoteFilm(await fetchManifest(`${url}/old`, signal), [])).toEqual({
    name: "city",
    title: "city",
    durationSeconds: 64.5,
    manifest: `${url}/films/city/manifest.mpd?key=1`,
    directory: null,
    isPackagedHere: false,
    otherOrigins: [url, "http://cdn.example"],
  });
});

test.each([
  ["/gone.mpd", "answers 404: check the URL given with --film"],
  ["/page", 'is no MPD, since it begins with "<!doctype html>": '],
  ["/sound.mpd", "names no video: "],
  [
    "/closed.mpd",
    "may not be read by pages of other servers (it has no Access-Control-Allow-Origin): add --pull",
  ],
  ["/large.mpd", "is longer than 16777216 bytes: "],
])("%s is refused in one sentence", async (path, sentence) => {
  const { url } = await startOrigin({
    "/page": ok("<!doctype html>", OPEN),
    "/sound.mpd": ok(mpd('<AdaptationSet contentType="audio"/>'), OPEN),
    "/closed.mpd": ok(mpd(SEGMENTED)),
    "/large.mpd": ok(" ".repeat(17 * 1024 * 1024), OPEN),
  });
  const film = fetchManifest(`${url}${path}`, signal).then((manifest) => remoteFilm(manifest, []));
  await expect(film).rejects.toThrow(Problem);
  await expect(film).rejects.toThrow(`the film ${url}${path} ${sentence}`);
});

test("a server that is not there, and a password, are refused", async () => {
  await expect(fetchManifest("http://127.0.0.1:1/a.mpd", signal)).rejects.toThrow(
    "the film http://127.0.0.1:1/a.mpd cannot be reached (",
  );
  await expect(fetchManifest("http://me:secret@127.0.0.1:1/a.mpd", signal)).rejects.toThrow(
    "the film http://127.0.0.1:1/a.mpd would tell its password to pages: give it without",
  );
});

test.each([
  ["/films/caf%C3%A9.mpd", "café"],
  ["/films/caf%E9.mpd", "caf%E9"],
  ["/%E9/manifest.mpd", "%E9"],
  ["/films/a%0Ab%1B.mpd", "a b"],
])("a film at %s is named %s", async (path, title) => {
  const { url } = await startOrigin({ [path]: ok(mpd(SEGMENTED), OPEN) });
  expect(remoteFilm(await fetchManifest(`${url}${path}`, signal), [])).toMatchObject({ title });
});
