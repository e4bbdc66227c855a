import { type AskAddress, type ServerAddress, ServerAway } from "../session/server-address.ts";
import { joined } from "./joined-addresses.ts";
import type { MediaServerAddress, MediaServerSource, MediaServerWorker } from "./media-server-address.ts";
import { isUrl } from "./option-types.ts";
import { pageUrl } from "./page-url.ts";
import { withFewSessions } from "./with-few-sessions.ts";

type DocumentUrl = string | URL;

/**
 * What asks for the media server's address, whichever way the page says it. Throws for what can be none, TypeError where it is
 * no URL: nothing is asked yet.
 *
 * @param random from 0 to below 1
 * @param wallMs ms of the epoch, by the clock that the browser holds against certificates
 */
export function askerOf(
  server: MediaServerSource,
  random: () => number = Math.random,
  wallMs: () => number = Date.now,
): AskAddress {
  const choose = (address: MediaServerAddress) => chosen(address, random, wallMs());
  if (typeof server === "function") {
    return async (signal) => {
      const address = await server(signal);
      return address === null ? null : choose(checked(address));
    };
  }
  if (isDocument(server) || isList(server)) {
    const [option, documents] = isDocument(server)
      ? (["server", [server]] as const)
      : (["each of a list in server", server] as const);
    if (documents.length === 0) {
      throw new Error(
        "server is an empty list: give the URL of an address document, or null for no media server",
      );
    }
    for (const url of documents) {
      requireDocument(option, url);
    }
    return async (signal) => {
      const address = await fetchAddresses(documents, signal);
      return address && choose(address);
    };
  }
  checked(server);
  return async () => choose(checked(server));
}

/** Throws where all certificates that are known by their hashes have expired: no browser opens a session with one. */
function chosen(address: MediaServerAddress, random: () => number, nowMs: number): ServerAddress {
  const { isEmulated = false, sessionToken } = address;
  const listed = address.workers ?? [];
  // A page that puts another URL in the document's place means that one.
  const workers = listed.some(({ url }) => bare(url) === bare(address.url)) ? listed : [];
  const valid = workers.filter((worker) => !hasExpired(worker, nowMs));
  const one = withFewSessions(valid, random) ?? address;
  if (hasExpired(one, nowMs)) {
    throw new Error(
      `the certificate of ${one.url} expired at ${one.certificateNotAfter}: its address is old, or this computer's clock is wrong`,
    );
  }
  const { url, certificateHashes } = one;
  const all = workers.map((worker) => ({
    serverUrl: worker.url,
    certificateHashes: worker.certificateHashes,
  }));
  return {
    serverUrl: url,
    certificateHashes,
    isEmulated,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(all.length === 0 ? {} : { workers: all }),
  };
}

/** Without the slash that a URL object has where its text had none. */
const bare = (url: string): string => url.replace(/\/$/, "");

/** A certificate without a hash is its issuer's to vouch for, and may have been renewed since the address was written. */
function hasExpired({ certificateHashes, certificateNotAfter }: MediaServerWorker, nowMs: number): boolean {
  return (
    certificateHashes.length > 0 &&
    certificateNotAfter !== undefined &&
    Date.parse(certificateNotAfter) < nowMs
  );
}

export const isDocument = (server: object | string): server is DocumentUrl =>
  typeof server === "string" || isUrl(server);

/** `Array.isArray` does not tell a readonly array from what is none. */
export function isList(
  server: MediaServerAddress<DocumentUrl> | readonly DocumentUrl[],
): server is readonly DocumentUrl[] {
  return Array.isArray(server);
}

/** A page's own scheme is that of its extension or app. A URL without a letter would be the page itself. */
function requireDocument(option: string, url: DocumentUrl): void {
  const { protocol } = new URL(pageUrl(option, url));
  const isFetched = /^(https?|blob|data):$/.test(protocol) || protocol === new URL(document.baseURI).protocol;
  if (!isFetched || /^\s*$/.test(String(url))) {
    throw new TypeError(`${option} is no URL of an address document: ${JSON.stringify(url)}`);
  }
}

/** Of all machines that answer. Rejects where none does. */
async function fetchAddresses(
  documentUrls: readonly DocumentUrl[],
  signal: AbortSignal,
): Promise<MediaServerAddress | null> {
  const answers = await Promise.allSettled(documentUrls.map((url) => fetchAddress(url, signal)));
  const answered = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  const [refusal] = answers;
  if (answered.length === 0 && refusal?.status === "rejected") throw refusal.reason;
  return joined(answered.filter((address) => address !== null));
}

/**
 * Reads `{ url, certificateHashes }`, or null. Throws where there is no such document: a server that ends takes it away, and web
 * servers answer a path that they do not have by 404 or with a page. One that is written anew while a web server sends it arrives
 * broken off, and is asked for again.
 */
async function fetchAddress(
  documentUrl: DocumentUrl,
  signal: AbortSignal,
  isAgain = false,
): Promise<MediaServerAddress | null> {
  const response = await fetch(documentUrl, { cache: "no-store", signal }).catch((cause: Error) => {
    throw new Error(`${documentUrl} is to say where the media server is: ${cause.message}`, { cause });
  });
  const { ok, status } = response;
  const text = await response.text().catch((cause: unknown) => {
    if (isAgain) throw cause;
    return BROKEN_OFF;
  });
  const isPage = ok && /^\s*</.test(text);
  if (isPage || status === 404) {
    throw new ServerAway(
      `${documentUrl} has no address of a media server (${isPage ? "it is a web page" : status}): does \`nuwa serve\` run, with ` +
        "this file as its --address-file?",
    );
  }
  if (!ok) {
    throw new Error(`${documentUrl} is to say where the media server is, but answers ${status}`);
  }
  const body = jsonOr(text);
  if (body === text && text.startsWith(BROKEN_OFF) && !isAgain) {
    return fetchAddress(documentUrl, signal, true);
  }
  return body === null ? null : checked(body, String(documentUrl));
}

/** How a document begins that is more than null. */
const BROKEN_OFF = "{";

/** Or the text itself, whose beginning is then told. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What of an address may be told: no token. */
const TOLD = ["url", "certificateHashes", "certificateNotAfter", "workers"];
const MOST_TOLD_LETTERS = 160;

/**
 * As a document would say it, with text for URL objects. Checked wherever it comes from: an address that is none is to be told,
 * not to fail deep in a session.
 */
function checked(given: unknown, source = "the media server's address"): MediaServerAddress {
  const address = jsonOr(JSON.stringify(given));
  if (!isAddress(address)) {
    const told = JSON.stringify(address, TOLD)?.slice(0, MOST_TOLD_LETTERS);
    throw new Error(
      `${source} is to be { "url": "https://HOST:PORT", "certificateHashes": ["base64 of a SHA-256"] }, not ${told}`,
    );
  }
  return address;
}

function isAddress(body: unknown): body is MediaServerAddress {
  const { workers = [] } = Object(body) as Partial<Record<keyof MediaServerAddress, unknown>>;
  return isWorker(body) && Array.isArray(workers) && workers.every(isWorker);
}

/** What else browsers call a server that cannot be reached, again and again. */
const HTTPS_URL = /^https:\/\/./;

/** `URL.canParse` is younger than WebTransport: browsers have one without the other. */
function canParse(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

/** 32 bytes. */
const HASH = /^[A-Za-z\d+/]{43}=?\s*$/;

function isWorker(body: unknown): body is MediaServerWorker {
  const {
    url,
    certificateHashes,
    certificateNotAfter = "",
  } = Object(body) as Partial<Record<keyof MediaServerWorker, unknown>>;
  return (
    typeof url === "string" &&
    typeof certificateNotAfter === "string" &&
    HTTPS_URL.test(url) &&
    canParse(url) &&
    Array.isArray(certificateHashes) &&
    certificateHashes.every((hash) => typeof hash === "string" && HASH.test(hash))
  );
}
