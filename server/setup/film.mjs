import { Problem } from "./problem.mjs";
import { ProgressLine } from "./progress.mjs";
import { withSetupLock } from "./steps.mjs";

/**
 * Packages the film unless that was done before; media/ decides whether it was. A file that is no film is told at once,
 * whoever else sets something up meanwhile.
 *
 * @param {{film: string | null, outputRoot: string, context: import("./steps.mjs").SetupContext}} what
 * @returns {Promise<import("../../media/package-film.ts").Presentation>}
 */
export async function prepareFilm({ film, outputRoot, context }) {
  const { findFfmpeg } = await import("../../media/find-ffmpeg.ts");
  const { packageFilm, requireFilm } = await import("../../media/package-film.ts");
  const { MediaError } = await import("../../media/media-error.ts");
  const { signal, output } = context;
  /** @type {{line: ProgressLine | null}} */
  const shown = { line: null };
  try {
    const ffmpegPath = await findFfmpeg();
    if (film !== null) await requireFilm(film, { ffmpegPath, signal });
    const presentation = await withSetupLock(context, () =>
      packageFilm({
        source: film === null ? { kind: "demo" } : { kind: "file", path: film },
        outputRoot,
        ffmpegPath,
        signal,
        onProgress: ({ step, ratio }) => {
          if (ratio === 1 && shown.line === null) return; // it was there already
          shown.line ??= new ProgressLine(output, step);
          shown.line.show(ratio);
        },
      }),
    );
    shown.line?.end();
    return presentation;
  } catch (error) {
    shown.line?.fail(signal);
    signal.throwIfAborted();
    throw error instanceof MediaError ? new Problem(error.message) : error;
  }
}
