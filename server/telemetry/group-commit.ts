import { StorageProblem } from "./storage-problem.ts";

export interface GroupCommitOptions<Item, Result> {
  /** Makes all items durable, or none; one result for each. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxGroup: number;
  /** More is turned away, so that a slow disk does not fill the memory. */
  readonly maxWaiting: number;
  /** Of one sender, so that one leaves room for the others. */
  readonly maxWaitingOfSender: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly sender: string | null;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Commits one group at a time. What arrives while a group is being written makes up the next one, so an item alone is
 * written at once, and many share the one wait for the disk.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  readonly #waitingOf = new Map<string, number>();
  #running: Promise<void> | null = null;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Resolves once the item is durable.
   *
   * @param sender whose share of the waiting it is; null: nobody's in particular
   * @throws StorageProblem `busy`, or what the commit threw
   */
  add(item: Item, sender: string | null = null): Promise<Result> {
    const { maxWaiting, maxWaitingOfSender } = this.#options;
    if (this.#waiting.length >= maxWaiting) {
      return Promise.reject(new StorageProblem("busy", `${this.#waiting.length} batches wait to be stored`));
    }
    if (sender !== null) {
      const ofSender = this.#waitingOf.get(sender) ?? 0;
      if (ofSender >= maxWaitingOfSender) {
        return Promise.reject(
          new StorageProblem("busy", `${ofSender} batches of one address wait to be stored`),
        );
      }
      this.#waitingOf.set(sender, ofSender + 1);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, sender, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is waiting any more. */
  async drained(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#options.maxGroup);
      for (const { sender } of group) this.#leave(sender);
      await this.#commit(group);
    }
    this.#running = null;
  }

  #leave(sender: string | null): void {
    if (sender === null) return;
    const others = (this.#waitingOf.get(sender) ?? 0) - 1;
    if (others > 0) this.#waitingOf.set(sender, others);
    else this.#waitingOf.delete(sender);
  }

  async #commit(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.commit(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
