import { extname } from "node:path";
import { Router } from "express";
import { staticFiles } from "./static-files.ts";

/** Names that media/ gives; anything else, percent signs and slashes included, never reaches the file system. */
const MEDIA_NAME = /^\/[A-Za-z0-9_-]+\.(?:mpd|m3u8|m4s|mp4)$/;

const TYPES: Readonly<Record<string, string>> = {
  ".mpd": "application/dash+xml",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".m4s": "video/iso.segment",
  ".mp4": "video/mp4",
};

/**
 * `GET /media/NAME`: manifest and segments, whole or by range. Asked for again each time (with an ETag), since another
 * film has the same names.
 */
export function mediaRoute(directory: string): Router {
  const router = Router({ strict: true });
  router.use(function refuseOtherNames(request, _response, next) {
    if (MEDIA_NAME.test(request.path)) next();
    else next("router");
  });
  router.use(
    staticFiles(directory, {
      setHeaders: (response, path) => {
        response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
        response.setHeader("Cache-Control", "no-cache");
      },
    }),
  );
  return router;
}
