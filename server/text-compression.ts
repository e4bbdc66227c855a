import compression from "compression";
import type { RequestHandler } from "express";

/** Text as brotli or gzip, by its type and what the browser takes. Media is compressed already, and left alone. */
export function textCompression(): RequestHandler {
  return compression({
    filter: (request, response) => {
      const isPart = response.statusCode === 206; // its range counts the file's own bytes
      return !isPart && compression.filter(request, response);
    },
  });
}
