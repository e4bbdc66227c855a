import { readEnvironment } from "../environment.ts";
import type { BrowserKind, BrowserProgram } from "./program.ts";

/** The browser that the set-up found; an Error says why there is none. */
export async function findBrowser(kind: BrowserKind = "chromium"): Promise<BrowserProgram> {
  const found = (await readEnvironment()).browsers[kind];
  if (found.path === null) throw new Error(found.reason);
  return { kind, path: found.path };
}
