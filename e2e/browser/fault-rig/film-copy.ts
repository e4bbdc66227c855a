import { link, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Presentation } from "../../../media/package-film.ts";
import { BUILD_DIRECTORY } from "../environment.ts";
import type { Chance } from "./chance.ts";
import type { Fault } from "./fault.ts";

/** The film that a fault's server serves: the one that is given, or a copy of it that the fault has changed. */
export interface Film extends AsyncDisposable {
  readonly presentation: Presentation;
}

export async function filmFor(
  { prepareFilm }: Pick<Fault, "prepareFilm">,
  presentation: Presentation,
  chance: Chance,
): Promise<Film> {
  if (prepareFilm === undefined) return { presentation, [Symbol.asyncDispose]: async () => undefined };
  const parent = join(BUILD_DIRECTORY, "e2e");
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(join(parent, "film-"));
  const film = {
    presentation: { ...presentation, directory },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
  try {
    for (const name of await readdir(presentation.directory))
      await link(join(presentation.directory, name), join(directory, name));
    await prepareFilm(directory, chance);
    return film;
  } catch (error) {
    await film[Symbol.asyncDispose]();
    throw error;
  }
}
