import { atom, type ReadableAtom } from "nanostores";

/** A store that has the value of another one, whichever it follows now. */
export class Follower<T> {
  readonly store: ReadableAtom<T>;
  readonly #set: (value: T) => void;
  #leave: () => void = () => undefined;

  constructor(value: T) {
    const store = atom<T>(value);
    this.store = store;
    this.#set = (newest) => store.set(newest);
  }

  follow(source: ReadableAtom<T>): void {
    this.#leave();
    this.#leave = source.subscribe((value) => this.#set(value as T));
  }
}
