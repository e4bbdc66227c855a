import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { mersenne } from "pure-rand/generator/mersenne";

/** What is left to chance in a run; the same seed draws the same. */
export class Chance {
  readonly #generator;

  constructor(seed: number) {
    this.#generator = mersenne(seed);
  }

  between([least, most]: readonly [number, number]): number {
    return least + (most - least) * uniformFloat64(this.#generator);
  }

  whole(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  /** @param probability 0 to 1 */
  happens(probability: number): boolean {
    return uniformFloat64(this.#generator) < probability;
  }
}
