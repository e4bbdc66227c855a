import { constants, realpathSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import express, { type RequestHandler, type Response, Router } from "express";
import { OPENING_ITSELF } from "./open-itself.ts";

/** What `send` hands on to the opening of a file: what was replaced by a link after it was looked at is not followed. */
export const WITHOUT_FOLLOWING = {
  flags: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0),
  fs: OPENING_ITSELF,
};

export interface StaticFilesOptions {
  /** Sent for a path that ends in a slash. */
  readonly index?: string;
  /** A file of the folder that is answered as if it were not there. */
  readonly hidden?: string;
  /** @param path of the file, relative to the folder */
  readonly setHeaders: (response: Response, path: string) => void;
}

/**
 * The regular files below a folder, by range and with an ETag. A link in it is not followed, wherever it leads: what is
 * served is what was put there.
 */
export function staticFiles(directory: string, { index, hidden, setHeaders }: StaticFilesOptions): Router {
  const root = realpathSync(directory);
  const router = Router({ strict: true });
  router.use(
    refuseLinks(root, { index, hidden }),
    express.static(root, {
      index: index ?? false,
      redirect: false,
      dotfiles: "ignore",
      setHeaders: (response, path) => setHeaders(response, relative(root, path)),
      ...WITHOUT_FOLLOWING,
    }),
  );
  return router;
}

function refuseLinks(
  root: string,
  { index, hidden }: Record<"index" | "hidden", string | undefined>,
): RequestHandler {
  const hiddenFile = hidden === undefined ? null : join(root, hidden);
  return async function refuseWhatIsNoFile(request, _response, next) {
    const name = decodedPath(request.path);
    if (name === null) return next(); // refused by express.static
    const wanted = join(root, name.endsWith("/") && index !== undefined ? `${name}${index}` : name);
    next(wanted !== hiddenFile && (await isFileItself(wanted)) ? undefined : "router");
  };
}

/** null where no file can have it. */
export function decodedPath(path: string): string | null {
  try {
    const name = decodeURIComponent(path);
    return name.includes("\0") ? null : name;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

const ABSENT: readonly unknown[] = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"];

async function isFileItself(path: string): Promise<boolean> {
  try {
    return (await realpath(path)) === path && (await stat(path)).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error && ABSENT.includes(error.code)) return false;
    throw error;
  }
}
