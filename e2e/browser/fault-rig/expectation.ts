import { slowdownOf } from "../process/cpu-use.ts";
import type { Expected } from "./fault.ts";
import { type Outcome, unexplainedProblems } from "./outcome.ts";

/** What a shared machine may take beyond what is expected: single samples late, a second for what it does besides. */
const ALLOWED_STALL_SECONDS = 0.5;
const ALLOWED_WAIT_SECONDS = 1;
/** With threads that wait longer than this, times what they had, no buffer can be kept full, whatever the film does. */
const MOST_SLOWDOWN = 5;

/** Whether the machine was so busy with other things that a run tells nothing of the fault. */
export function isTooBusy({ cpuUse }: Pick<Outcome, "cpuUse">): boolean {
  return slowdownOf(cpuUse) > MOST_SLOWDOWN;
}

/**
 * What the film did not do that is expected of it, a sentence each. Times are those of a machine that is there for the film
 * alone: what waits for a processor takes as much longer as it waited, and a decoder stands still no longer than that.
 */
export function brokenExpectations(outcome: Outcome, expected: Expected): string[] {
  return [
    ...unexplainedProblems(outcome, expected).map((problem) => `the console shows: ${problem}`),
    ...brokenTimes(outcome, expected),
    ...brokenEnd(outcome, expected),
    ...brokenWay(outcome, expected),
  ];
}

function brokenTimes(outcome: Outcome, expected: Expected): string[] {
  const slowdown = slowdownOf(outcome.cpuUse);
  const { bytesAfterSeconds, firstFrameSeconds } = expected;
  const within = (seconds: number) => (seconds + ALLOWED_WAIT_SECONDS) * slowdown;
  const stallLimit = expected.stalledSeconds * slowdown + ALLOWED_STALL_SECONDS;
  const broken = [tooLong("stalled", outcome.stalledSeconds, stallLimit)];
  if (outcome.cpuUse !== null) {
    const heldUpLimit = ALLOWED_STALL_SECONDS + outcome.cpuUse.waitedSeconds;
    broken.push(tooLong("stood still with data ahead", outcome.heldUpSeconds, heldUpLimit));
  }
  if (bytesAfterSeconds !== undefined)
    broken.push(tooLong("bytes flow again", outcome.bytesAfterSeconds, within(bytesAfterSeconds)));
  if (firstFrameSeconds !== undefined)
    broken.push(tooLong("first frame", outcome.firstFrameSeconds, within(firstFrameSeconds)));
  return broken.flat();
}

function brokenEnd({ isPlayingAtEnd, endPath, telemetry, notice }: Outcome, expected: Expected): string[] {
  const { missing, dropped } = telemetry;
  const broken: string[] = [];
  if (!isPlayingAtEnd) broken.push("the film stands still at the end");
  if (endPath !== expected.endPath) broken.push(`ends over ${endPath}, not over ${expected.endPath}`);
  if (missing !== 0 || dropped !== 0) broken.push(`telemetry: ${missing} missing, ${dropped} dropped`);
  if (expected.notice !== undefined && (notice === null || !expected.notice.test(notice)))
    broken.push(`the page says ${JSON.stringify(notice)}, which does not match ${expected.notice}`);
  return broken;
}

function brokenWay({ paths, httpSegments }: Outcome, expected: Expected): string[] {
  const broken: string[] = [];
  if (expected.paths !== undefined && paths.join() !== expected.paths.join())
    broken.push(`came over ${paths.join(", ")}, not over ${expected.paths.join(", ")}`);
  if (expected.httpSegments === "none" && httpSegments !== 0)
    broken.push(`${httpSegments} segments came over HTTP, where none may`);
  if (expected.httpSegments === "some" && httpSegments === 0) broken.push("no segment came over HTTP");
  return broken;
}

/** A limit itself is too long, and so is what never came. */
function tooLong(what: string, seconds: number | null, limitSeconds: number): string[] {
  if (seconds !== null && seconds < limitSeconds) return [];
  const took = seconds === null ? "never" : `${seconds.toFixed(2)} s`;
  return [`${what}: ${took}, not under ${limitSeconds.toFixed(2)} s`];
}
