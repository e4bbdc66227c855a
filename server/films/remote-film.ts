import { posix } from "node:path";
import { Problem } from "../problem.mjs";
import { type Film, nameFor, plainTitle } from "./film.ts";
import { requireManifest } from "./folder-film.ts";
import { locationOutside, type ManifestFacts, originsOf } from "./manifest-facts.ts";
import { requireNoMixedContent } from "./mixed-content.ts";

const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** Any page of ours: an answer that lets this one read it lets the others, too. */
const PAGE_ORIGIN = "http://localhost:8080";

export interface RemoteManifest {
  /** After redirects. */
  readonly url: URL;
  readonly text: string;
  readonly facts: ManifestFacts;
  /** Whether pages of other servers may read it (CORS). */
  readonly letsPagesRead: boolean;
}

/**
 * Fetches a manifest.
 *
 * @throws Problem if it cannot be had, or is none of a film
 */
export async function fetchManifest(text: string, signal: AbortSignal): Promise<RemoteManifest> {
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw new Problem(
      `the film ${url.origin}${url.pathname} would tell its password to pages: give it without`,
    );
  let response: Response;
  let body: string;
  try {
    response = await fetch(url, {
      headers: { Origin: PAGE_ORIGIN },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok)
      throw new Problem(`the film ${url} answers ${response.status}: check the URL given with --film`);
    body = await textWithin(response, MOST_MANIFEST_BYTES, `the film ${url}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Problem) throw error;
    throw new Problem(
      `the film ${url} cannot be reached (${reasonOf(error)}): check the URL given with --film`,
    );
  }
  const facts = requireManifest(body, `the film ${url}`);
  const allowed = response.headers.get("access-control-allow-origin");
  return {
    url: new URL(response.url),
    text: body,
    facts,
    letsPagesRead: allowed === "*" || allowed === PAGE_ORIGIN,
  };
}

/**
 * A film that plays from its own server.
 *
 * @param isOverTls whether pages come over HTTPS
 * @throws Problem if pages of other servers, or over HTTPS, may not read it
 */
export function remoteFilm(
  { url, facts, letsPagesRead }: RemoteManifest,
  taken: readonly string[],
  isOverTls: boolean,
): Film {
  const otherOrigins = [...new Set([url.origin, ...originsOf(facts)])];
  if (isOverTls) {
    const isPullable = locationOutside(facts) === null && !facts.isByRange;
    const advice = isPullable ? "add --pull" : "give one of which all comes over HTTPS";
    requireNoMixedContent(otherOrigins, `the film ${url}`, advice);
  }
  if (!letsPagesRead) {
    throw new Problem(
      `the film ${url} may not be read by pages of other servers (it has no Access-Control-Allow-Origin): add --pull`,
    );
  }
  const title = titleOf({ url, facts });
  return {
    name: nameFor(title, taken),
    title,
    durationSeconds: facts.durationSeconds,
    manifest: url.href,
    directory: null,
    isPackagedHere: false,
    otherOrigins,
  };
}

/** As the manifest says, else by the name of its file, or of its folder. */
export function titleOf({ url, facts }: Pick<RemoteManifest, "url" | "facts">): string {
  const name = spelledOut(posix.basename(url.pathname, ".mpd"));
  const folder = spelledOut(posix.basename(posix.dirname(url.pathname)));
  const isUsual = ["manifest", "stream", "index", "dash", ""].includes(name);
  return facts.title ?? (plainTitle(isUsual ? folder : name) || url.hostname);
}

/** A part of a path; as it stands there where its percents are no UTF-8. */
function spelledOut(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

/** The body, if it is not longer. Throws a Problem that names `what` if it is. */
async function textWithin(response: Response, mostBytes: number, what: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Problem(`${what} is longer than ${mostBytes} bytes: give an MPD`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** `fetch` hides the reason in the cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}
