/** Axes that stay calm while data moves: round tops, ages instead of times. */

const STEPS = [1, 2, 3, 4, 5, 6, 8, 10] as const;

/** Above the highest, so that no line lies on the frame. */
const HEADROOM = 1.05;
/** Above what an axis goes by. */
const RULER_HEADROOM = 1.2;

/** The end of an axis that goes by one of its series, where that has values, and holds all others else. */
export function ruledTop(ruler: readonly (number | null)[], highest: number | null, least: number): number {
  const known = ruler.filter((value) => value !== null);
  return known.length === 0
    ? roundTop(HEADROOM * (highest ?? 0), least)
    : roundTop(RULER_HEADROOM * Math.max(...known), least);
}

/** The end of an axis from 0: the first round number that holds the highest value and the least that is to be shown. */
export function roundTop(highest: number | null, least: number): number {
  const wanted = Math.max(highest ?? 0, least);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = STEPS.find((candidate) => candidate * power >= wanted * (1 - 1e-9)) ?? 10;
  return step * power;
}

const LOG_MARKS = [0, 20, 100, 500, 2000, 10_000, 50_000, 200_000] as const;

/** The end of such an axis: a mark. */
export function logTop(highest: number | null, least: number): number {
  const wanted = Math.max(highest ?? 0, least);
  return LOG_MARKS.find((mark) => mark >= wanted) ?? roundTop(highest, least);
}

/** Marks of an axis that is linear up to 20 and logarithmic above, as far as its end. */
export function logMarks(top: number): number[] {
  return LOG_MARKS.filter((mark) => mark <= top);
}

/** Of labels along an axis, those that stand clear of the last one written before them, the first included. */
export function clearLabels(positions: readonly number[], leastPixels: number): boolean[] {
  let written: number | null = null;
  return positions.map((position) => {
    const isClear = written === null || Math.abs(position - written) >= leastPixels;
    written = isClear ? position : written;
    return isClear;
  });
}

const TIME_STEPS_SECONDS = [1, 2, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400] as const;
const MOST_STEPS = 5;

function stepOf(spanSeconds: number): number {
  return TIME_STEPS_SECONDS.find((candidate) => spanSeconds / candidate <= MOST_STEPS) ?? spanSeconds;
}

/** What is written under a chart: where, in its seconds, and which words. */
export interface TimeAxis {
  /** What has just begun is drawn as so much. */
  readonly leastSpanSeconds: number;
  /** Whether lines are over, each at an end of its own: where no moment is read, legends tell what was known last. */
  readonly isOver: boolean;
  marks(span: { readonly fromSeconds: number; readonly toSeconds: number }): number[];
  text(atSeconds: number, toSeconds: number): string;
}

/** For what goes on: how long ago. */
export const AGES: TimeAxis = {
  leastSpanSeconds: 60,
  isOver: false,
  marks: ({ fromSeconds, toSeconds }) => ageMarks(toSeconds - fromSeconds).map((age) => toSeconds - age),
  text: (atSeconds, toSeconds) => ageText(toSeconds - atSeconds),
};

/** For what is over: how long after the beginning, which is at 0. */
export const ELAPSED: TimeAxis = {
  leastSpanSeconds: 5,
  isOver: true,
  marks: ({ fromSeconds, toSeconds }) => {
    const step = stepOf(toSeconds - fromSeconds);
    const first = Math.ceil(Math.max(0, fromSeconds) / step);
    return Array.from(
      { length: Math.floor(toSeconds / step) - first + 1 },
      (_, place) => (first + place) * step,
    );
  },
  text: (atSeconds) => elapsedText(atSeconds),
};

/** Ages that are written under a chart of such a span, oldest first, "now" last. */
export function ageMarks(spanSeconds: number): number[] {
  const step = stepOf(spanSeconds);
  return Array.from({ length: Math.floor(spanSeconds / step) + 1 }, (_, place) => place * step).reverse();
}

/** "now", "−15 s", "−2 min", "−1:30 min": how long before the end of the axis. */
export function ageText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole === 0) {
    return "now";
  }
  if (whole <= 60) {
    return `−${whole} s`;
  }
  const rest = whole % 60;
  return `−${Math.floor(whole / 60)}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`} min`;
}

/** "0:45", "12:05", "1:02:05". */
function elapsedText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (part: number): string => String(part).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours === 0 ? `${minutes}:${two(whole % 60)}` : `${hours}:${two(minutes)}:${two(whole % 60)}`;
}
