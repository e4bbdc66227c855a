import { SpareDisk } from "./spare-disk.ts";

/** For tests: a disk that has room for everything. */
export function largeDisk(): SpareDisk {
  return new SpareDisk({
    leastFreeBytes: 0,
    freeBytes: () => Promise.resolve(Number.POSITIVE_INFINITY),
    tell: (text) => {
      throw new Error(text);
    },
  });
}
