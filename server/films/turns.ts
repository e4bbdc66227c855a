import { addressGroup, isOwnMachine } from "../connections/address-group.ts";
import { Refusal } from "../errors.ts";

export interface TurnLimits {
  /** That have their turn, and that wait for one. */
  readonly atOnce: number;
  readonly waiting: number;
  /** Of one address (`addressGroup`) other than 127.0.0.1 and ::1. */
  readonly atOncePerAddress: number;
  readonly waitingPerAddress: number;
}

interface Waiter {
  begin(): void;
  refuse(): void;
}

/** What comes from one address. */
interface Group {
  readonly isStranger: boolean;
  /** The oldest first. */
  readonly waiting: Waiter[];
  running: number;
}

/**
 * Some at a time, the others wait. A free turn goes to the address that has fewest, in their order. Where no place is left to
 * wait, the newest of the address leaves that has most.
 */
export class Turns {
  readonly #limits: TurnLimits;
  /** Who had a turn last stands last. */
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn.
   *
   * @returns what ends it
   * @throws Refusal 503 if too many wait
   */
  take(address: string): Promise<() => void> {
    const name = addressGroup(address);
    const group = this.#groups.get(name) ?? { isStranger: !isOwnMachine(address), waiting: [], running: 0 };
    if (!this.#findPlace(group)) return Promise.reject(tooMany());
    this.#groups.set(name, group);
    return new Promise((resolve, reject) => {
      group.waiting.push({
        begin: () => resolve(() => this.#end(name, group)),
        refuse: () => reject(tooMany()),
      });
      this.#waiting += 1;
      this.#beginNext();
    });
  }

  #end(name: string, group: Group): void {
    group.running -= 1;
    this.#running -= 1;
    if (group.running + group.waiting.length === 0) this.#groups.delete(name);
    this.#beginNext();
  }

  /** Whether it may wait, or need not. */
  #findPlace(group: Group): boolean {
    const { atOnce, waiting, waitingPerAddress } = this.#limits;
    if (this.#running < atOnce && this.#mayRun(group)) return true;
    if (group.isStranger && group.waiting.length >= waitingPerAddress) return false;
    if (this.#waiting < waiting) return true;
    const largest = [...this.#groups.values()].reduce((most, each) =>
      each.waiting.length > most.waiting.length ? each : most,
    );
    if (largest.waiting.length <= group.waiting.length + 1) return false;
    largest.waiting.pop()?.refuse();
    this.#waiting -= 1;
    return true;
  }

  #beginNext(): void {
    while (this.#running < this.#limits.atOnce) {
      const [first, ...others] = [...this.#groups].filter(
        ([, each]) => each.waiting.length > 0 && this.#mayRun(each),
      );
      if (first === undefined) return;
      const [name, group] = others.reduce(
        (least, each) => (each[1].running < least[1].running ? each : least),
        first,
      );
      this.#groups.delete(name); // and in again, as the last one
      this.#groups.set(name, group);
      group.running += 1;
      this.#running += 1;
      this.#waiting -= 1;
      group.waiting.shift()?.begin();
    }
  }

  #mayRun({ isStranger, running }: Group): boolean {
    return !isStranger || running < this.#limits.atOncePerAddress;
  }
}

function tooMany(): Refusal {
  return new Refusal(503, "too many parts of the film are asked for: try again", { retryAfterSeconds: 1 });
}
