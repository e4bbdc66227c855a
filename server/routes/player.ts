import { sep } from "node:path";
import type { RequestHandler } from "express";
import { staticFiles } from "./static-files.ts";

/** Vite puts a hash of the content into the names in here. */
const HASHED_FOLDER = `assets${sep}`;

/** The page and its assets. What carries a hash in its name is kept for good, the rest is asked for again. */
export function playerRoute(directory: string): RequestHandler {
  return staticFiles(directory, {
    index: "index.html",
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(HASHED_FOLDER);
      response.setHeader("Cache-Control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
}
