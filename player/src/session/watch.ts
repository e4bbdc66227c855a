import type { ReadableAtom } from "nanostores";

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

/** Calls back with the present value and with every later one, `reporting`; what it returns ends that. */
export function watch<T>(source: ReadableAtom<T>, callback: (value: T) => void): () => void {
  return source.subscribe(reporting(callback));
}

/** The same for later values only, and for those that are not null. */
export function watchNews<T>(source: ReadableAtom<T | null>, callback: (value: T) => void): () => void {
  let isPresent = true;
  const end = watch(source, (value) => {
    if (!isPresent && value !== null) {
      callback(value);
    }
  });
  isPresent = false;
  return end;
}
