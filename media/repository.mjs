import { fileURLToPath } from "node:url";

/** The clone, with a slash at its end. Plain JavaScript: what is compiled into one file no longer knows where its source lies. */
export const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
