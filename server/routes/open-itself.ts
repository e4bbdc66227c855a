import { close, open, readlink, realpath } from "node:fs";
import { ReadTurns } from "./read-turns.ts";

type Done = (error: Error | null, descriptor?: number) => void;

/** Linux tells so of a file that was replaced since it was opened. */
const REPLACED = " (deleted)";

const turns = new ReadTurns(); // of all files that are served

/**
 * `fs` for streams that read a file at its real path. Where a folder of the path has become a link since somebody looked at
 * it, the opening fails with ELOOP: O_NOFOLLOW is about the path's last part alone.
 */
export const OPENING_ITSELF = { open: openItself, read: turns.read, close: turns.close };

function openItself(path: string, flags: number, mode: number, done: Done): void {
  open(path, flags, mode, (error, descriptor) => {
    if (error !== null) return done(error);
    whereIs(descriptor, path, (place) => {
      if (place === path || place === `${path}${REPLACED}`) return done(null, descriptor);
      const isLinked = Object.assign(new Error(`ELOOP: a link leads to ${path}`), { code: "ELOOP" });
      close(descriptor, (failure) => done(failure ?? isLinked));
    });
  });
}

/** An open file's real path; where the system does not tell, what now lies at the path by which it was opened. */
function whereIs(descriptor: number, path: string, tell: (place: string | null) => void): void {
  readlink(`/proc/self/fd/${descriptor}`, (isUntold, place) => {
    if (isUntold === null) tell(place);
    else realpath(path, (isGone, now) => tell(isGone === null ? now : null));
  });
}
