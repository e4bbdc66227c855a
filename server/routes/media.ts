import { finished } from "node:stream";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { addressOf } from "../connections/sender.ts";
import type { Film } from "../films/film.ts";
import type { FilmShelf } from "../films/film-shelf.ts";
import { isMediaPath, isQualityFile, mediaType } from "../films/media-path.ts";
import { staticFiles } from "./static-files.ts";

/**
 * `GET /media/PATH`, `GET /media/FILM/PATH`: manifests and segments, whole or by range. Asked for again each time (with an
 * ETag), since another film has the same names. A quality.json that is not there is 204.
 */
export function mediaRoute(films: FilmShelf): Router {
  const routers = new Map<string, Router>();
  const serve: (film: Pick<Film, "directory" | "presentDirectory" | "prepare"> | null) => RequestHandler =
    (film) => async (request, response, next) => {
      const path = relativePath(request);
      if (film?.directory == null || path === null) return next("router");
      await film.prepare?.(path, addressOf(request), leavingOf(response));
      const directory = film.presentDirectory ?? film.directory;
      let router = routers.get(directory);
      if (router === undefined) {
        router = filesOf(directory);
        routers.set(directory, router);
      }
      router(request, response, (error?: unknown) => {
        if (error == null && isQualityFile(path)) {
          response.status(204).end(); // few films were measured: no error in a viewer's console
        } else {
          next(error);
        }
      });
    };
  const router = Router({ strict: true });
  router.use((request, response, next) => {
    const name = /^\/([a-z0-9-]+)(?=\/)/.exec(request.url)?.[1];
    const film = name === undefined ? null : films.mounted(name);
    if (film === null || name === undefined) return next();
    const { url } = request;
    request.url = url.slice(name.length + 1);
    return serve(film)(request, response, (error?: unknown) => {
      request.url = url;
      next(error);
    });
  });
  router.use((request, response, next) => serve(films.root)(request, response, next));
  return router;
}

/** null where it cannot be that of a film's file: then it never reaches the file system. */
function relativePath({ path }: Request): string | null {
  try {
    const relative = decodeURIComponent(path).replace(/^\//, "");
    return isMediaPath(relative) ? relative : null;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Aborted once nobody waits for the answer any more. */
function leavingOf(response: Response): AbortSignal {
  const leaving = new AbortController();
  finished(response, () => leaving.abort());
  return leaving.signal;
}

function contentType(path: string): string {
  return mediaType(path) ?? (isQualityFile(path) ? "application/json" : "application/octet-stream");
}

function filesOf(directory: string): Router {
  return staticFiles(directory, {
    setHeaders: (response, path) => {
      response.setHeader("Content-Type", contentType(path));
      response.setHeader("Cache-Control", "no-cache");
    },
  });
}
