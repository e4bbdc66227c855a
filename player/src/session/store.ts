import { reporting } from "./reporting.ts";

/** A value that changes, for whoever may only see it. */
export interface ReadableStore<T> {
  get(): T;
  /** Calls back with the present value and with every later one, `reporting`; what it returns ends that. */
  watch(callback: (value: T) => void): () => void;
}

/** A value that changes, and is told to whoever watches. */
export class Store<T> implements ReadableStore<T> {
  #value: T;
  #isTelling = false;
  readonly #watchers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get(): T {
    return this.#value;
  }

  /** Where a callback sets the value anew, it is called with it once it has returned; others hear the newest alone. */
  set(value: T): void {
    this.#value = value;
    if (this.#isTelling) {
      return;
    }
    this.#isTelling = true;
    let told: T;
    do {
      told = this.#value;
      for (const tell of this.#watchers) {
        tell();
      }
    } while (!Object.is(told, this.#value));
    this.#isTelling = false;
  }

  watch(callback: (value: T) => void): () => void {
    const report = reporting(callback);
    let told = this.#value;
    const tell = (): void => {
      if (!Object.is(told, this.#value)) {
        told = this.#value;
        report(told);
      }
    };
    this.#watchers.add(tell);
    report(told);
    return () => this.#watchers.delete(tell);
  }
}

/** Watches later values only, and those that are not null. */
export function watchNews<T>(source: ReadableStore<T | null>, callback: (value: T) => void): () => void {
  let isPresent = true;
  const end = source.watch((value) => {
    if (!isPresent && value !== null) {
      callback(value);
    }
  });
  isPresent = false;
  return end;
}
