import { type LinkRequest, megabitsOf } from "./link-request.ts";
import type { LinkState, ServerConfig } from "./server-config.ts";

/** The link that the query asks for and nobody knows; null where there is no such. */
export function unknownLink(
  query: URLSearchParams,
  { link, links }: Pick<ServerConfig, "link" | "links">,
): string | null {
  const name = query.get("link");
  const isKnown =
    name === null ||
    name === (link?.name ?? "none") ||
    megabitsOf(name) !== null ||
    links.some((one) => one.name === name);
  return isKnown ? null : name;
}

/** The link that the query asks for; null where it is there already or the query does not say. */
export function linkFromQuery(query: URLSearchParams, link: LinkState | null): LinkRequest | null {
  const name = query.get("link");
  return name === null || name === (link?.name ?? "none") ? null : { name };
}

/** The query with the link that there is; a query that says nothing of links is left alone, unless the page asked for it. */
export function withLink(query: URLSearchParams, link: LinkState | null, isOwn: boolean): URLSearchParams {
  const next = new URLSearchParams(query);
  if (isOwn || next.has("link")) {
    next.set("link", link?.name ?? "none");
  }
  return next;
}
