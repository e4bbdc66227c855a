import type { LinkState, ServerConfig } from "../../options/server-config.ts";
import { type LinkRequest, megabitsOf } from "./link-request.ts";
import { type ParameterName, withValues } from "./parameters.ts";
import { numberIn, wholeIn } from "./query-values.ts";

/** Numbers of the link, beside its name. */
const OF_LINK = [
  "link_delay_ms",
  "link_queue_packets",
  "link_loss_percent",
] as const satisfies readonly ParameterName[];

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

/** The link that the query asks for; null where it is there already or the query does not say. Throws BadChoice. */
export function linkFromQuery(
  query: URLSearchParams,
  {
    link,
    linkLimits: { delayMs: delay, queuePackets: queue, loss },
  }: Pick<ServerConfig, "link" | "linkLimits">,
): LinkRequest | null {
  const name = query.get("link");
  if (name === null) {
    return null;
  }
  const delayMs = numberIn(query, "link_delay_ms", [delay.min, delay.max]);
  const queuePackets = wholeIn(query, "link_queue_packets", [queue.min, queue.max]);
  const lossPercent = numberIn(query, "link_loss_percent", [100 * loss.min, 100 * loss.max]);
  const request: LinkRequest = {
    name,
    ...(delayMs === null ? {} : { delayMs }),
    ...(queuePackets === null ? {} : { queuePackets }),
    ...(lossPercent === null ? {} : { lossRatio: lossPercent / 100 }),
  };
  return isThere(request, link) ? null : request;
}

/** The query with the link that there is; a query that says nothing of links is left alone, unless the page asked for it. */
export function withLink(query: URLSearchParams, link: LinkState | null, isOwn: boolean): URLSearchParams {
  const next = new URLSearchParams(query);
  const saysNumbers = OF_LINK.some((name) => next.has(name));
  if (saysNumbers) {
    return withLinkNumbers(next, link);
  }
  if (isOwn || next.has("link")) {
    next.set("link", link?.name ?? "none");
  }
  return next;
}

/** The query with the link that there is, its numbers included. */
export function withLinkNumbers(query: URLSearchParams, link: LinkState | null): URLSearchParams {
  return withValues(query, {
    link: link?.name ?? "none",
    link_delay_ms: link?.delayMs ?? null,
    link_queue_packets: link?.queuePackets ?? null,
    link_loss_percent: link && Number((100 * link.lossRatio).toPrecision(6)),
  });
}

function isThere({ name, delayMs, queuePackets, lossRatio }: LinkRequest, link: LinkState | null): boolean {
  if (link === null) {
    return name === "none";
  }
  return (
    name === link.name &&
    (delayMs ?? link.delayMs) === link.delayMs &&
    (queuePackets ?? link.queuePackets) === link.queuePackets &&
    (lossRatio === undefined || Math.abs(lossRatio - link.lossRatio) < 1e-9)
  );
}
