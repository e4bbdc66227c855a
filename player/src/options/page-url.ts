import { requireType } from "./option-types.ts";

/**
 * Absolute, of a URL that a page says in an option. Throws TypeError, which names the option, for what is none, and
 * ReferenceError where there is no page, as on a server that renders it.
 */
export function pageUrl(option: string, url: string | URL): string {
  requireType(option, url, "string", "URL"); // null would be a file of that name
  const { baseURI } = document; // outside: where it is missing, the URL is not at fault
  try {
    return new URL(url, baseURI).href;
  } catch (cause) {
    throw new TypeError(`${option} is no URL: ${url}`, { cause });
  }
}
