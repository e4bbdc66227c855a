import type { Chance } from "./chance.ts";

/** What a bad network does to datagrams. Shares are 0 to 1. */
export interface Impairment {
  /** Share of datagrams that are lost, all in all. */
  readonly loss?: number;
  /** So many are lost in a row. */
  readonly lossBurst?: number;
  /** Share in which a bit is flipped. */
  readonly corruption?: number;
  /** Share that comes twice. */
  readonly duplication?: number;
  /** Share that is overtaken by those behind it. */
  readonly reordering?: number;
}

type Way = "up" | "down";

/** So long what is to be overtaken waits. */
const OVERTAKEN_MS = 20;

/** Does to each datagram, either way, what chance says. */
export class Impairments {
  readonly #impairment: Required<Impairment>;
  readonly #chance: Chance;
  readonly #leftInBurst = { up: 0, down: 0 };

  constructor(impairment: Impairment, chance: Chance) {
    this.#impairment = { loss: 0, lossBurst: 1, corruption: 0, duplication: 0, reordering: 0, ...impairment };
    this.#chance = chance;
  }

  pass(way: Way, datagram: Buffer, send: (datagram: Buffer) => void): void {
    if (this.#isLost(way)) return;
    const { corruption, duplication, reordering } = this.#impairment;
    const passed = this.#chance.happens(corruption) ? this.#damaged(datagram) : datagram;
    if (this.#chance.happens(reordering)) setTimeout(() => send(passed), OVERTAKEN_MS);
    else send(passed);
    if (this.#chance.happens(duplication)) send(passed);
  }

  /** A burst begins so seldom that the share in all is `loss`. */
  #isLost(way: Way): boolean {
    const { loss, lossBurst } = this.#impairment;
    if (this.#leftInBurst[way] === 0 && this.#chance.happens(loss / (lossBurst - loss * (lossBurst - 1))))
      this.#leftInBurst[way] = lossBurst;
    if (this.#leftInBurst[way] === 0) return false;
    this.#leftInBurst[way] -= 1;
    return true;
  }

  #damaged(datagram: Buffer): Buffer {
    const damaged = Buffer.from(datagram);
    const place = this.#chance.whole(0, damaged.length - 1);
    damaged.writeUInt8(damaged.readUInt8(place) ^ (1 << this.#chance.whole(0, 7)), place);
    return damaged;
  }
}
