/** Marks in one place, as the papers' schemes often are: the first lies on top, and each further one shows around those before it. */

/** Side of a mark in pixels; that of a circle is its diameter. */
const SIDE = 9.5;
/** So much larger is each mark that lies beneath another. */
const RING = 8;
const MOST_RINGS = 5;
/** Nearer than this one mark hides much of another. */
const NEAR = 8;

export interface PlacedMark {
  x: number;
  y: number;
}

/** Sides of the marks, in their order: as small as none that comes later hides it. */
export function nestMarks(marks: readonly PlacedMark[]): number[] {
  const rings: number[] = [];
  for (const [own, { x, y }] of marks.entries()) {
    const above = marks.slice(0, own).flatMap((other, at) => {
      return Math.hypot(other.x - x, other.y - y) < NEAR ? [rings[at] as number] : [];
    });
    rings.push(Math.min(MOST_RINGS, above.reduce((most, ring) => Math.max(most, ring), -1) + 1));
  }
  return rings.map((ring) => SIDE + RING * ring);
}
