import { isLoopback } from "../connections/address-group.ts";
import { Problem } from "../problem.mjs";

/**
 * @param film as the sentence begins
 * @param advice what to do about it
 * @throws Problem if browsers refuse what comes from one of these origins to a page over HTTPS
 */
export function requireNoMixedContent(origins: readonly string[], film: string, advice: string): void {
  const plain = origins.find(isMixedContent);
  if (plain !== undefined)
    throw new Problem(
      `${film} comes from ${plain}, and browsers refuse HTTP to a page over HTTPS: ${advice}`,
    );
}

/** From a viewer's own machine browsers take it over HTTP, too. */
function isMixedContent(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  const isOwn = /(^|\.)localhost$/.test(hostname) || isLoopback(hostname.replace(/[[\]]/g, ""));
  return protocol === "http:" && !isOwn;
}
