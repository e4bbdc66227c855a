import type { SessionAddress } from "../player/src/options/server-config.ts";
import { type PageHost, type TransportInfo, transportUrl, type WorkerInfo } from "./addresses.ts";
import type { LeastLoaded } from "./least-loaded.ts";
import type { LinkService } from "./link/link-control.ts";

interface Places {
  /** null while it is away. */
  readonly transport: TransportInfo | null;
  /** Absent: no link is ever emulated. */
  readonly link: LinkService | undefined;
  readonly pageHost: PageHost;
  readonly leastLoaded: LeastLoaded;
}

/**
 * Where the page that asks opens its sessions: at the transport, or at the emulated link's lanes.
 *
 * @returns null while either is away: a session around the emulated link would be measured on the wrong one
 */
export function sessionAddress(places: Places): SessionAddress | null {
  const { transport, link, pageHost, leastLoaded } = places;
  const route = link?.route ?? { kind: "direct" };
  if (transport === null || route.kind === "away") return null;
  const urlOf = (place: Pick<WorkerInfo, "host" | "port">) => transportUrl(place, pageHost);
  if (route.kind === "relay") {
    const { certificateHashes } = transport; // the relay leads to this one
    const laneUrls = [urlOf(route.lanes[0]), urlOf(route.lanes[1])] as const;
    return {
      url: laneUrls[0],
      certificateHashes,
      laneUrls,
      workers: laneUrls.map((url) => ({ url, certificateHashes })),
    };
  }
  const all = transport.workers ?? [transport];
  const { certificateHashes, ...place } = leastLoaded.choose(all, performance.now());
  const url = urlOf(place);
  const workers = all.map((worker) => ({ url: urlOf(worker), certificateHashes: worker.certificateHashes }));
  return { url, certificateHashes, laneUrls: [url, url], workers };
}
