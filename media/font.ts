import { createRequire } from "node:module";
import { MediaError } from "./media-error.ts";
import { REPOSITORY } from "./repository.mjs";

const FONT = "dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf"; // figures of one width: a time code that stands still

/** The font file that is burnt into the demo film. Throws MediaError when its package is not installed. */
export function findFont(): string {
  try {
    return createRequire(REPOSITORY).resolve(FONT);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw cause;
    const message = `The demo film's font ${FONT} is not installed; run \`npm install\`, or package a film of your own.`;
    throw new MediaError(message, { cause });
  }
}
