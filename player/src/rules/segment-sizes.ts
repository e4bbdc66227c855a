/**
 * What a film's next segments are likely to weigh. A manifest tells a bitrate for each rung, which is a mean, a peak or a
 * wish of its encoder; what was fetched tells the truth about it. Pure: bits, seconds.
 */

/** Weight of the nominal bitrate, in segments. */
const NOMINAL_WEIGHT = 1;
/** How much of a segment's weight is left when another has come. */
const KEPT = 0.9;

export class SegmentSizes {
  /** Of all rungs, and of each by its nominal bitrate: fetched bits over nominal ones. */
  readonly #all = new Share();
  readonly #ofRung = new Map<number, Share>();

  /** A segment that was fetched. */
  add(nominalBitsPerSecond: number, seconds: number, bits: number): void {
    const share = bits / (nominalBitsPerSecond * seconds);
    if (!(share > 0) || !Number.isFinite(share)) {
      return;
    }
    this.#all.add(share);
    let own = this.#ofRung.get(nominalBitsPerSecond);
    if (own === undefined) {
      own = new Share();
      this.#ofRung.set(nominalBitsPerSecond, own);
    }
    own.add(share);
  }

  /** Of the next segment in a rung; a rung that was never fetched is taken to be like the others. */
  expectedBits(nominalBitsPerSecond: number, seconds: number): number {
    const general = this.#all.mean(1);
    const share = this.#ofRung.get(nominalBitsPerSecond)?.mean(general) ?? general;
    return share * nominalBitsPerSecond * seconds;
  }
}

class Share {
  #sum = 0;
  #weight = 0;

  add(share: number): void {
    this.#sum = KEPT * this.#sum + share;
    this.#weight = KEPT * this.#weight + 1;
  }

  /** `prior` counts as one segment. */
  mean(prior: number): number {
    return (this.#sum + NOMINAL_WEIGHT * prior) / (this.#weight + NOMINAL_WEIGHT);
  }
}

/** What a rule knows of sizes: `segmentBits` of its context, with what it takes where they are unknown. */
interface KnownSizes {
  readonly ladderBitsPerSecond: readonly number[];
  readonly segmentSeconds: number;
  readonly segmentBits: readonly (readonly number[])[];
}

/** Of a rung's segment, so many steps ahead: the last known one stands for those after it, the nominal bitrate for none. */
export function bitsAhead(sizes: KnownSizes, rung: number, step: number): number {
  const known = sizes.segmentBits[rung] ?? [];
  const nominal = sizes.ladderBitsPerSecond[rung];
  const bits =
    known[step] ?? known.at(-1) ?? (nominal === undefined ? undefined : nominal * sizes.segmentSeconds);
  if (bits === undefined)
    throw new RangeError(`there is no rung ${rung} in a ladder of ${sizes.ladderBitsPerSecond.length}`);
  return bits;
}
