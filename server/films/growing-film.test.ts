import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { findFfmpeg } from "../../media/find-ffmpeg.ts";
import { GrowingFilm } from "../../media/growing-film.ts";
import { temporaryFolder } from "../sample-app.ts";
import { packagedFilm } from "./film.ts";
import { FilmShelf } from "./film-shelf.ts";
import { growingFilm } from "./growing-film.ts";

const SECONDS = 40;
const { signal } = new AbortController();

async function begin(signal?: AbortSignal) {
  const folder = temporaryFolder();
  const path = join(folder, "Film.mkv");
  const ffmpegPath = await findFfmpeg();
  const source = ["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=25:duration=${SECONDS}`];
  await promisify(execFile)(ffmpegPath, ["-v", "error", ...source, "-c:v", "mpeg4", "-b:v", "8M", path]);
  const begun = await GrowingFilm.begin({
    source: { kind: "file", path },
    outputRoot: join(folder, "out"),
    ffmpegPath,
    signal,
  });
  if (!(begun instanceof GrowingFilm)) throw new Error("it was whole at once");
  return begun;
}

test("a film that is whole is served as one that was there", { timeout: 60_000 }, async () => {
  const begun = await begin();
  const film = growingFilm(begun, [], signal);
  const shelf = new FilmShelf([film]);
  const entry = () => shelf.entries[0];
  expect(entry()).toMatchObject({ manifestUrl: "/media/playing.mpd", isPrepared: true });
  await film.prepare?.("seg-0-00001.m4s", "");
  const { directory } = await begun.whole;
  expect(entry()).toMatchObject({ manifestUrl: "/media/manifest.mpd", isPrepared: false });
  expect(film.presentDirectory).toBe(directory);
});

test("of a film whose encoding is stopped nothing is left once its shelf says so", {
  timeout: 60_000,
}, async () => {
  const stopping = new AbortController();
  const begun = await begin(stopping.signal);
  const film = growingFilm(begun, [], stopping.signal);
  expect(existsSync(begun.folder)).toBe(true);
  stopping.abort();
  expect(existsSync(begun.folder)).toBe(true);
  await new FilmShelf([film]).encodingsOver();
  expect(existsSync(begun.folder)).toBe(false);
});

test("a film whose encoding fails leaves the menu, and moves no other", { timeout: 60_000 }, async () => {
  const failing = new AbortController();
  const begun = await begin(failing.signal);
  const film = growingFilm(begun, [], signal);
  const other = packagedFilm({ directory: "/other", title: "Other", durationSeconds: 4 }, [film.name]);
  const shelf = new FilmShelf([film, other]);
  await film.prepare?.("quality.json", "");
  expect(begun.isWhole, "nobody waits for what is not to come").toBe(false);
  const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => told.mockRestore());
  failing.abort(new Error("The disk is full."));
  await expect(begun.whole).rejects.toThrow();
  expect(shelf.entries.map(({ manifestUrl }) => manifestUrl)).toEqual(["/media/other/manifest.mpd"]);
  await expect(film.prepare?.("segment.m4s", "")).rejects.toThrow("the film could not be encoded");
  expect(told.mock.calls).toEqual([[expect.stringMatching(/^Film could not be encoded, .* is full\./)]]);
});
