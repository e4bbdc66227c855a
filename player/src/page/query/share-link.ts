/** The address that gives this page again, with all settings. Pure. */

import type { FilmConfig, LinkState } from "../../options/server-config.ts";
import { type Choices, toQuery } from "./choices.ts";
import { withLinkNumbers } from "./link-query.ts";
import { type Wishes, withWishes } from "./wishes.ts";

export interface Settings {
  readonly choices: Choices;
  readonly wishes: Wishes;
  /** null while nothing is emulated. */
  readonly link: LinkState | null;
  readonly config: Pick<FilmConfig, "film" | "films" | "links">;
}

/** @param address the page's own; what else its query says stays */
export function shareLink(address: string, { choices, wishes, link, config }: Settings): string {
  const url = new URL(address);
  const query = withWishes(toQuery(url.searchParams, choices), wishes);
  if (config.films.length > 1) {
    query.set("film", config.film.name);
  }
  url.search = (config.links.length === 0 ? query : withLinkNumbers(query, link)).toString();
  url.hash = "";
  return url.href;
}
