import { type EncodeJob, segmentSecondsOf } from "./encode.ts";
import { lastUsefulLine } from "./run-ffmpeg.ts";

interface PackagedLength {
  /** Of what was packaged. */
  readonly durationSeconds: number;
  /** What the container promises; undefined where it does not tell. */
  readonly expectedSeconds: number | undefined;
  readonly job: Pick<EncodeJob, "longestSeconds" | "frameRate">;
  /** The last lines that ffmpeg printed. */
  readonly complaints: readonly string[];
}

const OF_DAMAGE =
  /Error submitting packet to decoder|error while decoding|ended prematurely|corrupt|truncated/i;

/** Sentences about a film that is longer or shorter than it says, or that could not be decoded everywhere. */
export function lengthNotes({
  durationSeconds,
  expectedSeconds,
  job,
  complaints,
}: PackagedLength): readonly string[] {
  const segmentSeconds = segmentSecondsOf(job);
  const perSecond = durationSeconds < 1 ? 100 : 10;
  const seconds = Math.round(perSecond * durationSeconds) / perSecond;
  if (job.longestSeconds !== undefined && durationSeconds > job.longestSeconds - segmentSeconds)
    return [`it goes on for longer than it says: what comes after ${Math.round(seconds)} s is left out`];
  const lastWords = lastUsefulLine(complaints);
  const reason = lastWords === undefined ? "" : ` (${lastWords})`;
  if (expectedSeconds !== undefined && durationSeconds < expectedSeconds - segmentSeconds)
    return [
      `it says ${Math.round(10 * expectedSeconds) / 10} s, and its pictures end after ${seconds} s${reason}: what comes then is left out`,
    ];
  return complaints.some((line) => OF_DAMAGE.test(line))
    ? [`parts of it are damaged${reason}: they look or sound wrong`]
    : [];
}
