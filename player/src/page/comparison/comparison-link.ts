/** The link that two films share: what the query asks for, or the page itself where nothing is emulated. */

import type { LinkState, ServerConfig } from "../../options/server-config.ts";
import { queryNow, showQuery } from "../dom/address-bar.ts";
import { setText } from "../dom/elements.ts";
import type { Notice } from "../dom/notice.ts";
import { type LinkChange, LinkPanel } from "../link/link-panel.ts";
import { unknownLink, withLink } from "../query/link-query.ts";
import { linkMistake, readLink, toldMistakes } from "../query/query-mistakes.ts";
import { firstLink, NO_LINK_HERE } from "./first-link.ts";

/** The matter of a link, or of its numbers, that there are not. */
const OF_QUERY_LINK = "query's link";

export interface ComparisonLinkOptions {
  readonly config: ServerConfig;
  readonly notice: Notice;
  readonly onLink: (change: LinkChange) => void;
}

/** The panel of the link; address bar and notices follow what becomes of it. */
export function comparisonLinkPanel({ config, notice, onLink }: ComparisonLinkOptions): LinkPanel {
  const showLink = (link: LinkState | null, isOwn: boolean): void =>
    showQuery(withLink(queryNow(), link, isOwn));
  return new LinkPanel({
    config,
    onLink: (change) => {
      setText("link-note", "");
      if (change.isSettled) {
        notice.clear("link");
      }
      notice.clear(OF_QUERY_LINK);
      showLink(change.link, change.isOwn);
      onLink(change);
    },
    onRefused: (sentence, link, action) => {
      notice.show(sentence, "link", action);
      showLink(link, false);
    },
  });
}

/** Asks for the link that the query asks for; without a word of it for one that shows a difference. */
export async function emulateLink(
  panel: LinkPanel,
  query: URLSearchParams,
  { config, notice }: Pick<ComparisonLinkOptions, "config" | "notice">,
): Promise<void> {
  const unknown = unknownLink(query, config);
  const read = unknown === null ? await readLink(query, config) : null;
  const isLeftToPage = config.link === null && (unknown !== null || !query.has("link"));
  const request = isLeftToPage ? firstLink(config) : (read?.result ?? null);
  if (request !== null) {
    await panel.ask(request);
  }
  if (isLeftToPage && panel.link !== null) {
    setText("link-note", `Nothing was emulated, so this page started “${panel.link.title}”.`);
  } else if (isLeftToPage && request === null) {
    setText("link-note", NO_LINK_HERE);
  }
  const mistake = unknown === null ? read && toldMistakes(read) : await linkMistake(unknown, config);
  if (mistake !== null) {
    notice.show(mistake, OF_QUERY_LINK);
  }
}
