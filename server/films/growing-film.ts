import { GrowingFilm } from "../../media/growing-film.ts";
import type { Presentation } from "../../media/package-film.ts";
import { Refusal } from "../errors.ts";
import { type Film, nameFor, packagedFilm } from "./film.ts";
import { isQualityFile } from "./media-path.ts";

/** Whoever is ahead of the encoder waits for it so long, and then asks again: shorter than the server's limit on silence. */
const PATIENCE_MS = 100_000;

/**
 * A film that is served while media/ encodes it. Segments that are not there yet are waited for; what becomes of the encoding
 * is said on standard output.
 *
 * @param film as it began; a presentation where it was whole at once
 * @param signal ended the encoding, which is then not told
 */
export function growingFilm(
  film: GrowingFilm | Presentation,
  taken: readonly string[],
  signal: AbortSignal,
): Film {
  if (!(film instanceof GrowingFilm)) return packagedFilm(film, taken);
  const { title, durationSeconds, folder } = film;
  process.stdout.write(`${title} plays while it is encoded\n`);
  let isLost = false;
  const encodingOver = film.whole.then(
    () => void process.stdout.write(`${title} is encoded to its end\n`),
    (error: Error) => {
      isLost = true;
      if (!signal.aborted)
        process.stderr.write(
          `${title} could not be encoded, and is not served until the server is started again: ${error.message}\n`,
        );
    },
  );
  const prepare: Film["prepare"] = async (path, _address, leaving) => {
    if (isQualityFile(path)) return; // it never comes, and a page asks for it at once
    if (!(await film.comes(path, PATIENCE_MS, leaving)))
      throw new Refusal(
        404,
        isLost ? "the film could not be encoded" : "this part of the film is not encoded yet: try again",
      );
  };
  return {
    name: nameFor(title, taken),
    title,
    durationSeconds,
    get manifest() {
      return film.manifest;
    },
    directory: folder,
    encodingOver,
    get presentDirectory() {
      return film.directory;
    },
    get isLost() {
      return isLost;
    },
    isPackagedHere: true,
    otherOrigins: [],
    get prepare() {
      return film.isWhole ? undefined : prepare;
    },
  };
}
