import { existsSync, readdirSync } from "node:fs";
import { extname, join, posix, sep } from "node:path";
import { type RequestHandler, Router } from "express";
import { REFUSAL_FILE } from "../refusal-page.ts";
import { leaveAsItIs } from "../text-compression.ts";
import { decodedPath, staticFiles } from "./static-files.ts";

/** Vite puts a hash of the content into the names in here. */
const ASSETS = "assets";
const HASHED_FOLDER = `${ASSETS}${sep}`;

/** The page and its assets. What carries a hash in its name is kept for good, the rest is asked for again. */
export function playerRoute(directory: string): Router {
  const router = Router({ strict: true });
  router.use(asCompressed(directory));
  router.use(pageFiles(directory));
  return router;
}

const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/**
 * Asks for the file that was compressed as the page was built, where there is one that the browser takes. Where it takes none,
 * as no browser does, it gets the file itself.
 */
function asCompressed(directory: string): RequestHandler {
  const assets = new Set(assetsOf(directory));
  return function askForCompressed(request, response, next) {
    const path = plainPath(request.path);
    for (const [encoding, end] of ENCODINGS) {
      if (!assets.has(`${path}${end}`)) continue;
      response.vary("Accept-Encoding");
      if (request.acceptsEncodings(encoding) === false) continue;
      response.setHeader("Content-Encoding", encoding);
      response.type(extname(path));
      request.url = `${path}${end}`;
      break;
    }
    next();
  };
}

/** However it was spelled: who asks for an asset by another spelling costs no more than others. */
function plainPath(path: string): string {
  return posix.normalize(decodedPath(path) ?? path);
}

function assetsOf(directory: string): string[] {
  const folder = join(directory, HASHED_FOLDER);
  return existsSync(folder) ? readdirSync(folder).map((name) => `/${ASSETS}/${name}`) : [];
}

function pageFiles(directory: string): RequestHandler {
  return staticFiles(directory, {
    index: "index.html",
    hidden: REFUSAL_FILE, // it says 404, and is to be answered with that
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(HASHED_FOLDER);
      // However its path was spelled: one of megabytes compressed for each who asks would hold the others up.
      if (isHashed) leaveAsItIs(response);
      response.setHeader("Cache-Control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
}
