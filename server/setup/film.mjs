import { Problem } from "./problem.mjs";
import { ProgressLine } from "./progress.mjs";
import { withSetupLock } from "./steps.mjs";

/**
 * Packages the film unless that was done before; media/ decides whether it was.
 *
 * @param {{film: string | null, outputRoot: string, context: import("./steps.mjs").SetupContext}} what
 * @returns {Promise<import("../../media/package-film.ts").Presentation>}
 */
export async function prepareFilm({ film, outputRoot, context }) {
  const { findFfmpeg } = await import("../../media/find-ffmpeg.ts");
  const { packageFilm } = await import("../../media/package-film.ts");
  const { MediaError } = await import("../../media/media-error.ts");
  const { signal, output } = context;
  const title = film === null ? "packaging the demo film" : `packaging ${film}`;
  /** @type {{line: ProgressLine | null}} */
  const shown = { line: null };
  try {
    const ffmpegPath = await findFfmpeg();
    const presentation = await withSetupLock(context, () =>
      packageFilm({
        source: film === null ? { kind: "demo" } : { kind: "file", path: film },
        outputRoot,
        ffmpegPath,
        signal,
        onProgress: ({ ratio }) => {
          if (ratio === 1 && shown.line === null) return; // it was there already
          shown.line ??= new ProgressLine(output, title);
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
