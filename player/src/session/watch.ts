import type { ReadonlySignal } from "@preact/signals-core";

/**
 * Calls back with the present value and with every later one; what it returns ends that. An error of the callback is
 * reported as the browser does for its own events: others are called, and whoever set the signal goes on.
 */
export function watch<T>(source: ReadonlySignal<T>, callback: (value: T) => void): () => void {
  return source.subscribe((value) => {
    try {
      callback(value);
    } catch (error) {
      reportError(error);
    }
  });
}

/** The same for later values only, and for those that are not null. */
export function watchNews<T>(source: ReadonlySignal<T | null>, callback: (value: T) => void): () => void {
  let isPresent = true;
  const end = watch(source, (value) => {
    if (!isPresent && value !== null) {
      callback(value);
    }
  });
  isPresent = false;
  return end;
}
