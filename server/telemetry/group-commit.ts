import { StorageProblem } from "./storage-problem.ts";

export interface GroupCommitOptions<Item, Result> {
  /** Makes all items durable, or none; one result for each. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxGroup: number;
  /** More is turned away, so that a slow disk does not fill the memory. */
  readonly maxWaiting: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
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
  #running: Promise<void> | null = null;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Resolves once the item is durable.
   *
   * @throws StorageProblem `busy`, or what the commit threw
   */
  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#options.maxWaiting) {
      return Promise.reject(new StorageProblem("busy", `${this.#waiting.length} batches wait to be stored`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is waiting any more. */
  async drained(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, this.#options.maxGroup));
    }
    this.#running = null;
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
