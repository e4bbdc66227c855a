import { accessSync, constants, statSync } from "node:fs";
import { createServer } from "node:net";
import { listenProblem } from "./listen-problem.mjs";
import { Problem } from "./problem.mjs";

/**
 * @param {string} path
 * @throws {Problem} if there is no file that can be read; whether it is a film is ffmpeg's to say
 */
export function readFilm(path) {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined)
    throw new Problem(`the film ${path} does not exist: check the path given with --film`);
  if (!file.isFile()) throw new Problem(`the film ${path} is not a file: give a film with --film`);
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Problem(`the film ${path} cannot be read (${code}): check its permissions`);
  }
}

/**
 * A name or a rate can be checked only once the links are known, a path at once.
 *
 * @param {import("./options.mjs").LinkOption} link
 * @throws {Problem} if it is a path at which there is no file
 */
export function requireTraceFile({ text, file }) {
  if (!/[/\\]/.test(text) || statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  throw new Problem(`the trace ${file} is not a file: give a link's name, a rate or a trace with --link`);
}

/**
 * Listens for a moment, so that a port in use is told before a set-up of minutes.
 *
 * @param {{host: string, port: number}} address
 * @returns {Promise<void>}
 */
export function requireFreePort({ host, port }) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => reject(listenProblem(error, { host, port })));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}
