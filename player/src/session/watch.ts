import type { ReadableAtom } from "nanostores";
import { reporting } from "./reporting.ts";

/**
 * Calls back with the present value and with every later one, `reporting`; what it returns ends that. Where another callback
 * sets the value anew, the newest is told, once: nanostores would tell it again for each that it has not told.
 */
export function watch<T>(source: ReadableAtom<T>, callback: (value: T) => void): () => void {
  const report = reporting(callback);
  let told: { readonly value: unknown } | null = null;
  return source.subscribe((value) => {
    if (told !== null && Object.is(told.value, value)) {
      return;
    }
    told = { value };
    report(value as T);
  });
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
