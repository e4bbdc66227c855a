import { mean } from "../browser/statistics.ts";

export interface Point {
  x: number;
  y: number;
}

const OUTLINE_POINTS = 60;

/**
 * Outline of the region that holds the true mean of the points with the given confidence, if they are drawn from a bivariate normal
 * distribution (Hotelling's T^2): the mean, and around it an ellipse after the sample's covariance. null with fewer than three points.
 *
 * The squared radius is (n - 1) * 2 / (n - 2) / n * F(2, n - 2), and for two degrees of freedom the quantile of F is
 * (n - 2) / 2 * (alpha^(-2 / (n - 2)) - 1); together (n - 1) / n * (alpha^(-2 / (n - 2)) - 1).
 */
export function confidenceEllipse(points: readonly Point[], confidence = 0.95): Point[] | null {
  const count = points.length;
  if (count < 3) return null;
  const radius = Math.sqrt(((count - 1) / count) * ((1 - confidence) ** (-2 / (count - 2)) - 1));
  const centre = centreOf(points);
  const { xx, xy, yy } = covariance(points, centre);
  // Cholesky: a circle through the root of the covariance
  const across = Math.sqrt(xx);
  const slant = across === 0 ? 0 : xy / across;
  const rest = Math.sqrt(Math.max(0, yy - slant * slant));
  return Array.from({ length: OUTLINE_POINTS }, (_, index) => {
    const angle = (2 * Math.PI * index) / OUTLINE_POINTS;
    const [cos, sin] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    return { x: centre.x + across * cos, y: centre.y + slant * cos + rest * sin };
  });
}

export function centreOf(points: readonly Point[]): Point {
  const x = mean(points.map((point) => point.x));
  const y = mean(points.map((point) => point.y));
  if (x === null || y === null) throw new RangeError("no points, no centre");
  return { x, y };
}

function covariance(points: readonly Point[], centre: Point) {
  const over = (product: (dx: number, dy: number) => number) =>
    points.reduce((sum, { x, y }) => sum + product(x - centre.x, y - centre.y), 0) / (points.length - 1);
  return { xx: over((dx) => dx * dx), xy: over((dx, dy) => dx * dy), yy: over((_, dy) => dy * dy) };
}
