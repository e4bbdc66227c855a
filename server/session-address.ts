import { type PageHost, type TransportInfo, transportUrl } from "./addresses.ts";
import type { LinkService } from "./link/link-control.ts";

/** What a page needs to open a session. */
export interface SessionAddress {
  /** That of the first lane. */
  readonly url: string;
  readonly certificateHashes: readonly string[];
  /** The second one is for the second player of a page that shows two side by side. */
  readonly laneUrls: readonly [string, string];
}

interface Places {
  /** null while it is away. */
  readonly transport: TransportInfo | null;
  /** Absent: no link is ever emulated. */
  readonly link: LinkService | undefined;
  readonly pageHost: PageHost;
}

/**
 * Where the page that asks opens its sessions: at the transport, or at the emulated link's lanes.
 *
 * @returns null while either is away: a session around the emulated link would be measured on the wrong one
 */
export function sessionAddress({ transport, link, pageHost }: Places): SessionAddress | null {
  const route = link?.route ?? { kind: "direct" };
  if (transport === null || route.kind === "away") return null;
  const [first, second] = route.kind === "direct" ? [transport, transport] : route.lanes;
  const urlOf = (place: Pick<TransportInfo, "host" | "port">) => transportUrl(place, pageHost);
  const laneUrls = [urlOf(first), urlOf(second)] as const;
  return { url: laneUrls[0], certificateHashes: transport.certificateHashes, laneUrls };
}
