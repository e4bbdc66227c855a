/** Puts labels beside points without covering points or each other, as far as there is room. Pixels, y downwards. */

export interface LabelledPoint {
  x: number;
  y: number;
  text: string;
  /** Of its mark. */
  radius: number;
}

export interface PlacedLabel {
  text: string;
  /** Left end of the text, and its middle. */
  x: number;
  y: number;
  /** The point that it belongs to, where a line must lead there. */
  lead: { x: number; y: number } | null;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Plot {
  width: number;
  height: number;
  fontSize: number;
  /** What labels had rather not cover, besides the points. */
  obstacles?: readonly Box[];
}

/** Between a mark and its label. */
const GAP = 6;
/** Between two labels. */
const MARGIN = 2;
/** Of the font's size, on average of the wider of the fonts that system-ui is. */
export const CHARACTER_WIDTH = 0.6;
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
/** Of labels from where they stand nearest. */
const STEPS = [0, 9, 23, 41, 63, 89, 120];
/** A label so near to a point is taken for its own. */
const NEAR = 14;
/** What it costs to stand nearer to another's point than to one's own; an area in square pixels that may rather be covered. */
const CONFUSION = 300;
/** What it costs to cover a label at all, and how much worse each pixel of it is than one of a point. */
const HIDING = 1000;
const HIDDEN = 20;
/** From this step on nobody sees by itself whose label it is. */
const LEAD_FROM = 9;
/** Each label is placed so often, with regard to all others. */
const ROUNDS = 6;

/** Labels in the order of the points, each in the nearest place that is free, or in the one that covers least. */
export function placeLabels(points: readonly LabelledPoint[], plot: Plot): PlacedLabel[] {
  const candidates = points.map((point) => candidatesOf(point, plot));
  const marks = points.map(({ x, y, radius }) => around(x, y, radius + 2, radius + 2));
  const alone = points.map((point, own) =>
    (candidates[own] as Candidate[]).map((candidate) => {
      const others = points.filter((_, at) => at !== own);
      const covered = [...marks.filter((_, at) => at !== own), ...(plot.obstacles ?? [])];
      const confused = others.filter((other) => isConfused(candidate, point, other)).length;
      const area = covered.reduce((sum, mark) => sum + overlap(candidate.box, mark), 0);
      return area + 4 * outside(candidate.box, plot) + CONFUSION * confused + candidate.step;
    }),
  );
  const chosen: Candidate[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [own, costs] of alone.entries()) {
      const others = chosen.filter((_, at) => at !== own).map(({ box }) => grown(box, MARGIN));
      const all = (candidates[own] as Candidate[]).map(
        ({ box }, at) => (costs[at] as number) + others.reduce((sum, label) => sum + hiding(box, label), 0),
      );
      chosen[own] = (candidates[own] as Candidate[])[all.indexOf(Math.min(...all))] as Candidate;
    }
  }
  return points.map(({ x, y, text }, own) => {
    const { box, step } = chosen[own] as Candidate;
    return { text, x: box.left, y: (box.top + box.bottom) / 2, lead: step >= LEAD_FROM ? { x, y } : null };
  });
}

interface Candidate {
  box: Box;
  /** Farther from the point than need be. */
  step: number;
  /** From the point. */
  distance: number;
}

function candidatesOf({ x, y, text, radius }: LabelledPoint, { fontSize }: Plot): Candidate[] {
  const halfWidth = (text.length * fontSize * CHARACTER_WIDTH) / 2;
  const halfHeight = fontSize * 0.62;
  return STEPS.flatMap((step) =>
    DIRECTIONS.map(([across, down]) => {
      const length = Math.hypot(across, down);
      const distance = radius + GAP + step;
      const centreX = x + across * halfWidth + (across / length) * distance;
      const centreY = y + down * halfHeight + (down / length) * distance;
      return { box: around(centreX, centreY, halfWidth, halfHeight), step, distance };
    }),
  );
}

function hiding(box: Box, label: Box): number {
  const area = overlap(box, label);
  return area === 0 ? 0 : HIDING + HIDDEN * area;
}

function grown({ left, right, top, bottom }: Box, by: number): Box {
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
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
function isConfused({ box, step, distance }: Candidate, point: LabelledPoint, other: LabelledPoint): boolean {
  if (gap(box, other) < Math.min(distance, NEAR)) return true;
  if (step < LEAD_FROM) return false;
  const end = { x: clamp(point.x, box.left, box.right), y: clamp(point.y, box.top, box.bottom) };
  const [across, down] = [end.x - point.x, end.y - point.y];
  const along = ((other.x - point.x) * across + (other.y - point.y) * down) / (across * across + down * down);
  const nearest = clamp(along, 0, 1);
  return (
    Math.hypot(point.x + nearest * across - other.x, point.y + nearest * down - other.y) < other.radius + 2
  );
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
