/** Axes that stay calm while data moves: round tops, ages instead of times. */

const STEPS = [1, 2, 3, 4, 5, 6, 8, 10] as const;

/** The end of an axis from 0: the first round number that holds the highest value and the least that is to be shown. */
export function roundTop(highest: number | null, least: number): number {
  const wanted = Math.max(highest ?? 0, least);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = STEPS.find((candidate) => candidate * power >= wanted * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** "now", "-15 s": how long before the end of the axis. */
export function ageText(seconds: number): string {
  const whole = Math.round(seconds);
  return whole === 0 ? "now" : `−${whole} s`;
}
