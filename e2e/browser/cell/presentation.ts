import { join } from "node:path";
import { findFfmpeg } from "../../../media/find-ffmpeg.ts";
import { type FilmSource, type Presentation, packageFilm } from "../../../media/package-film.ts";
import { BUILD_DIRECTORY } from "../environment.ts";

/** Packages the film, or finds it packaged. */
export async function presentationOf(
  source: FilmSource,
  onProgress: (line: string) => void,
): Promise<Presentation> {
  let lastStep = "";
  return packageFilm({
    source,
    outputRoot: join(BUILD_DIRECTORY, "media"),
    ffmpegPath: await findFfmpeg(),
    onProgress: ({ step }) => {
      if (step !== lastStep) onProgress(`film: ${step}`);
      lastStep = step;
    },
  });
}
