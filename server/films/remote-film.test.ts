import { expect, test } from "vitest";
import { Problem } from "../problem.mjs";
import { requireManifest } from "./folder-film.ts";
import { fetchManifest, type RemoteManifest, remoteFilm } from "./remote-film.ts";
import { mpd, SEGMENTED } from "./sample-manifest.ts";
import { ok, startOrigin } from "./sample-origin.ts";

const OPEN = { "Access-Control-Allow-Origin": "*" };
const { signal } = new AbortController();

test("a manifest of another server is a film that plays from there", async () => {
  const { url } = await startOrigin({
    "/old": (response) => response.writeHead(302, { Location: "/films/city/manifest.mpd?key=1" }).end(),
    "/films/city/manifest.mpd?key=1": ok(mpd(`<BaseURL>http://cdn.example/</BaseURL>${SEGMENTED}`), OPEN),
  });
  expect(remoteFilm(await fetchManifest(`${url}/old`, signal), [], false)).toEqual({
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
  const film = fetchManifest(`${url}${path}`, signal).then((manifest) => remoteFilm(manifest, [], false));
  await expect(film).rejects.toThrow(Problem);
  await expect(film).rejects.toThrow(`the film ${url}${path} ${sentence}`);
});

/** Which takes films of one folder. */
const NOT_BY_PULL = "give one of which all comes over HTTPS";

test.each([
  ["http://192.0.2.7:8001", "", "http://192.0.2.7:8001", "add --pull"],
  ["https://films.example", "http://cdn.example/", "http://cdn.example", NOT_BY_PULL],
])("from %s, with segments at '%s', it is refused to pages over HTTPS", (origin, baseUrl, plain, advice) => {
  const manifest = manifestAt(origin, baseUrl);
  expect(() => remoteFilm(manifest, [], true)).toThrow(
    `the film ${origin}/a.mpd comes from ${plain}, and browsers refuse HTTP to a page over HTTPS: ${advice}`,
  );
  expect(remoteFilm(manifest, [], false)).toMatchObject({ manifest: `${origin}/a.mpd` });
});

test.each([
  ["https://films.example", "https://cdn.example/"],
  ["http://127.0.0.1:8001", ""],
  ["http://[::1]:8001", ""],
  ["http://localhost:8001", ""],
])("from %s, with segments at '%s', it is for pages over HTTPS, too", (origin, baseUrl) => {
  expect(remoteFilm(manifestAt(origin, baseUrl), [], true)).toMatchObject({ manifest: `${origin}/a.mpd` });
});

function manifestAt(origin: string, baseUrl: string): RemoteManifest {
  const text = mpd(`${baseUrl && `<BaseURL>${baseUrl}</BaseURL>`}${SEGMENTED}`);
  const url = new URL(`${origin}/a.mpd`);
  return { url, text, facts: requireManifest(text, origin), letsPagesRead: true };
}

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
  expect(remoteFilm(await fetchManifest(`${url}${path}`, signal), [], false)).toMatchObject({ title });
});
