import { join } from "node:path";
import { findFfmpeg } from "../../../media/find-ffmpeg.ts";
import type { Rung } from "../../../media/ladder.ts";
import { MediaError } from "../../../media/media-error.ts";
import { type FilmSource, type Presentation, packagedAt, packageFilm } from "../../../media/package-film.ts";
import { BUILD_DIRECTORY } from "../environment.ts";
import type { PackagedSource } from "./parameters.ts";

/** Where to get a film, and its rungs where they are not the usual ones. */
export type PlayedFilm = FilmSource & { readonly ladder?: readonly Rung[] };

/** Packages the film, or finds it packaged. */
export async function presentationOf(
  source: PlayedFilm | PackagedSource,
  onProgress: (line: string) => void,
): Promise<Presentation> {
  if (source.kind === "packaged") {
    const found = await packagedAt(source.directory);
    if (found !== null) return found;
    throw new MediaError(`--film ${source.directory}: the packaged film is not whole; package it again`);
  }
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
