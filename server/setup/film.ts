import cliProgress from "cli-progress";
import { findFfmpeg } from "../../media/find-ffmpeg.ts";
import { MediaError } from "../../media/media-error.ts";
import { type Presentation, packageFilm, requireFilm } from "../../media/package-film.ts";
import { withSetupLock } from "./lock.mjs";
import { MEDIA } from "./paths.ts";
import { Problem } from "./problem.ts";

const LOG_INTERVAL_MS = 10_000;

/**
 * Packages the film unless that was done before; media/ decides whether it was. A file that is no film is refused at once,
 * whoever else sets something up meanwhile.
 *
 * @param film null: the demo film
 */
export async function prepareFilm(film: string | null, signal: AbortSignal): Promise<Presentation> {
  const output = process.stdout;
  const bar = new cliProgress.SingleBar({
    stream: output,
    format: "{step} [{bar}] {percentage} %, {eta_formatted} left",
    noTTYOutput: true,
    notTTYSchedule: LOG_INTERVAL_MS,
  });
  try {
    const ffmpegPath = await findFfmpeg();
    if (film !== null) await requireFilm(film, { ffmpegPath, signal });
    return await withSetupLock({ output, signal }, () =>
      packageFilm({
        source: film === null ? { kind: "demo" } : { kind: "file", path: film },
        outputRoot: MEDIA,
        ffmpegPath,
        signal,
        onProgress: ({ step, ratio }) => {
          if (ratio === 1 && !bar.isActive) return; // it was there already
          if (!bar.isActive) bar.start(100, 0, { step });
          bar.update(Math.floor(100 * ratio), { step });
        },
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof MediaError ? new Problem(error.message) : error;
  } finally {
    bar.stop();
  }
}
