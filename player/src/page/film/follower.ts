import { type ReadableStore, Store } from "../../session/store.ts";

/** A store that has the value of another one, whichever it follows now. */
export class Follower<T> {
  readonly store: ReadableStore<T>;
  readonly #set: (value: T) => void;
  #leave: () => void = () => undefined;

  constructor(value: T) {
    const store = new Store<T>(value);
    this.store = store;
    this.#set = (newest) => store.set(newest);
  }

  follow(source: ReadableStore<T>): void {
    this.#leave();
    this.#leave = source.watch(this.#set);
  }
}
