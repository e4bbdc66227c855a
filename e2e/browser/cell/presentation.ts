import { join } from "node:path";
import { findFfmpeg } from "../../../media/find-ffmpeg.ts";
import type { Rung } from "../../../media/ladder.ts";
import { type FilmSource, type Presentation, packageFilm } from "../../../media/package-film.ts";
import { BUILD_DIRECTORY } from "../environment.ts";

/** Where to get a film, and its rungs where they are not the usual ones. */
export type PlayedFilm = FilmSource & { readonly ladder?: readonly Rung[] };

/** Packages the film, or finds it packaged. */
export async function presentationOf(
  source: PlayedFilm,
  onProgress: (line: string) => void,
): Promise<Presentation> {
  let lastStep = "";
  return packageFilm({
    source,
    ladder: source.ladder,
    outputRoot: join(BUILD_DIRECTORY, "media"),
    ffmpegPath: await findFfmpeg(),
    onProgress: ({ step }) => {
      if (step !== lastStep) onProgress(`film: ${step}`);
      lastStep = step;
    },
  });
}
