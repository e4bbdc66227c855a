/** A value that changes: to be read, and to be watched. */
export interface ReadonlySignal<T> {
  readonly value: T;
  /** Calls back with the present value and with every later one, `reporting`; what it returns ends that. */
  watch(callback: (value: T) => void): () => void;
}

interface Watcher<T> {
  heard: T;
  readonly hear: (value: T) => void;
}

/** The same for whoever sets it. */
export class Signal<T> implements ReadonlySignal<T> {
  readonly #watchers = new Set<Watcher<T>>();
  #value: T;
  #isTelling = false;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** A callback that sets it, too, is called with that when it has returned. */
  set value(value: T) {
    this.#value = value;
    if (this.#isTelling) {
      return;
    }
    this.#isTelling = true;
    for (let next = this.#unaware(); next !== undefined; next = this.#unaware()) {
      this.#tell(next);
    }
    this.#isTelling = false;
  }

  watch(callback: (value: T) => void): () => void {
    const watcher = { heard: this.#value, hear: reporting(callback) };
    this.#watchers.add(watcher);
    this.#tell(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #unaware(): Watcher<T> | undefined {
    return [...this.#watchers].find(({ heard }) => heard !== this.#value);
  }

  #tell(watcher: Watcher<T>): void {
    watcher.heard = this.#value;
    watcher.hear(this.#value);
  }
}

/** Watches for later values only, and for those that are not null. */
export function watchNews<T>(source: ReadonlySignal<T | null>, callback: (value: T) => void): () => void {
  let isPresent = true;
  const end = source.watch((value) => {
    if (!isPresent && value !== null) {
      callback(value);
    }
  });
  isPresent = false;
  return end;
}

/** Reports an error of the callback as the browser does for its own events: whoever calls goes on. */
export function reporting<T>(callback: (value: T) => void): (value: T) => void {
  return (value) => {
    try {
      callback(value);
    } catch (error) {
      reportError(error);
    }
  };
}
