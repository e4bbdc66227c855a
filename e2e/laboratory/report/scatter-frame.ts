import type { Point } from "../ellipse.ts";

/** The links' clocks tick in milliseconds; what is below is drawn there. */
export const LEAST_DELAY_MS = 1;

/** What a scatter shows of the plane. x is the delay's decadic logarithm, y Mbit/s. */
export interface Frame {
  x: readonly [number, number];
  y: readonly [number, number];
}

/** Where points of a frame lie in a drawing. Pixels, y downwards. */
export interface Drawing {
  frame: Frame;
  width: number;
  height: number;
}

export function toPixels({ x, y }: Point, { frame, width, height }: Drawing): Point {
  return {
    x: (1 - (x - frame.x[0]) / (frame.x[1] - frame.x[0])) * width,
    y: (1 - (y - frame.y[0]) / (frame.y[1] - frame.y[0])) * height,
  };
}

export function fromPixels({ x, y }: Point, { frame, width, height }: Drawing): Point {
  return {
    x: frame.x[0] + (1 - x / width) * (frame.x[1] - frame.x[0]),
    y: frame.y[0] + (1 - y / height) * (frame.y[1] - frame.y[0]),
  };
}

/** Below this share of the largest throughput the least is shown from zero on. */
const BREAK_FROM = 0.5;

/** Room for all points and, up to a limit, for the ellipses. Throughput begins at 0 where the schemes are far apart, else above it. */
export function frameOf(points: readonly Point[], ellipses: readonly Point[]): Frame {
  const [left, right] = range(
    points.map((point) => point.x),
    ellipses.map((point) => point.x),
  );
  const [low, high] = range(
    points.map((point) => point.y),
    ellipses.map((point) => point.y),
  );
  const across = Math.max(right - left, 0.3);
  const up = Math.max(high - low, 0.12 * high);
  const bottom = low - 0.1 * up;
  return {
    x: [Math.max(Math.log10(0.7 * LEAST_DELAY_MS), left - 0.1 * across), right + 0.1 * across],
    y: [bottom < BREAK_FROM * high ? 0 : bottom, high + 0.12 * up],
  };
}

/** From the least to the largest value; what lies around them adds no more than half as much again on each side. */
function range(values: readonly number[], around: readonly number[]): [number, number] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const extra = (most - least) / 2;
  return [
    Math.max(least - extra, Math.min(least, ...around)),
    Math.min(most + extra, Math.max(most, ...around)),
  ];
}
