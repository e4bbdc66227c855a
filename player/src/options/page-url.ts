/** Absolute, of a URL that a page says in an option. Throws TypeError, which names the option, for what is none. */
export function pageUrl(option: string, url: string): string {
  try {
    return new URL(url, document.baseURI).href;
  } catch (cause) {
    throw new TypeError(`${option} is no URL: ${url}`, { cause });
  }
}
