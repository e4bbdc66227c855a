/** Puts labels beside points without covering points or each other, as far as there is room. Pixels, y downwards. */

export interface LabelledPoint {
  x: number;
  y: number;
  text: string;
}

export interface PlacedLabel {
  text: string;
  /** Left end of the text, and its middle. */
  x: number;
  y: number;
  /** The point that it belongs to, where a line must lead there. */
  lead: { x: number; y: number } | null;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Plot {
  width: number;
  height: number;
  fontSize: number;
}

const POINT_RADIUS = 7;
const CHARACTER_WIDTH = 0.56; // of the font's size, system-ui, on average
const DIRECTIONS: readonly (readonly [number, number])[] = [
  ...([
    [1, 0],
    [-1, 0],
    [0, -1],
    [0, 1],
  ] as const),
  ...([
    [1, -1],
    [-1, -1],
    [1, 1],
    [-1, 1],
  ] as const),
];
const DISTANCES = [11, 20, 34, 52, 74, 100];
/** A label so near to a point is taken for its own. */
const NEAR = 14;
/** What it costs to stand nearer to another's point than to one's own; an area in square pixels that may rather be covered. */
const CONFUSION = 300;
/** How much worse it is to cover a label than a point. */
const HIDDEN = 20;
/** From here on nobody sees by itself whose label it is. */
const LEAD_FROM = 20;

/** Labels in the order of the points; each takes the nearest place that is free, or the one that covers least. */
export function placeLabels(points: readonly LabelledPoint[], plot: Plot): PlacedLabel[] {
  const labels: Box[] = [];
  const marks = points.map(({ x, y }) => around(x, y, POINT_RADIUS, POINT_RADIUS));
  return points.map((point, own) => {
    const candidates = candidatesOf(point, plot);
    const costs = candidates.map(({ box, distance }) => {
      const covered = marks.reduce((sum, mark, at) => (at === own ? sum : sum + overlap(box, mark)), 0);
      const hidden = labels.reduce((sum, label) => sum + overlap(box, label), 0);
      const confused = points.filter(
        (other, at) => at !== own && isConfused({ box, distance }, point, other),
      );
      return covered + HIDDEN * hidden + 4 * outside(box, plot) + CONFUSION * confused.length;
    });
    const best = candidates[costs.indexOf(Math.min(...costs))] as Candidate;
    labels.push(best.box);
    const lead = best.distance >= LEAD_FROM ? { x: point.x, y: point.y } : null;
    return { text: point.text, x: best.box.left, y: (best.box.top + best.box.bottom) / 2, lead };
  });
}

interface Candidate {
  box: Box;
  distance: number;
}

function candidatesOf({ x, y, text }: LabelledPoint, { fontSize }: Plot): Candidate[] {
  const halfWidth = (text.length * fontSize * CHARACTER_WIDTH) / 2;
  const halfHeight = fontSize * 0.62;
  return DISTANCES.flatMap((distance) =>
    DIRECTIONS.map(([across, down]) => {
      const length = Math.hypot(across, down);
      const centreX = x + across * halfWidth + (across / length) * distance;
      const centreY = y + down * halfHeight + (down / length) * distance;
      return { box: around(centreX, centreY, halfWidth, halfHeight), distance };
    }),
  );
}

function around(x: number, y: number, halfWidth: number, halfHeight: number): Box {
  return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
}

function overlap(one: Box, other: Box): number {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return across > 0 && down > 0 ? across * down : 0;
}

/** Whether the label stands nearer to another point than to its own, or its line leads through that one. */
function isConfused({ box, distance }: Candidate, point: LabelledPoint, other: LabelledPoint): boolean {
  if (gap(box, other) < Math.min(distance, NEAR)) return true;
  if (distance < LEAD_FROM) return false;
  const end = { x: clamp(point.x, box.left, box.right), y: clamp(point.y, box.top, box.bottom) };
  const [across, down] = [end.x - point.x, end.y - point.y];
  const along = ((other.x - point.x) * across + (other.y - point.y) * down) / (across * across + down * down);
  const nearest = clamp(along, 0, 1);
  return Math.hypot(point.x + nearest * across - other.x, point.y + nearest * down - other.y) < POINT_RADIUS;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** From a box's edge to a point. */
function gap({ left, top, right, bottom }: Box, { x, y }: LabelledPoint): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/** Area of the box that lies outside the plot. */
function outside(box: Box, { width, height }: Plot): number {
  const whole = (box.right - box.left) * (box.bottom - box.top);
  return whole - overlap(box, { left: 0, top: 0, right: width, bottom: height });
}
