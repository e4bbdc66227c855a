import type { MediaServerAddress, MediaServerWorker } from "./media-server-address.ts";

/**
 * Several machines as one server. Those behind a balancer have one URL: whichever answers there, its certificate is known.
 *
 * @returns null for none
 */
export function joined(addresses: readonly MediaServerAddress[]): MediaServerAddress | null {
  const [first, ...others] = addresses;
  if (first === undefined || others.length === 0) return first ?? null;
  const byUrl = new Map<string, MediaServerWorker>();
  for (const worker of addresses.flatMap((address) => address.workers ?? [address])) {
    const same = byUrl.get(worker.url);
    byUrl.set(worker.url, same === undefined ? worker : together(same, worker));
  }
  const workers = [...byUrl.values()];
  const { certificateHashes = first.certificateHashes } = byUrl.get(first.url) ?? {};
  return { ...first, certificateHashes, workers };
}

function together(one: MediaServerWorker, other: MediaServerWorker): MediaServerWorker {
  const { url } = one;
  const certificateHashes = [...new Set([...one.certificateHashes, ...other.certificateHashes])];
  if (one.sessions === undefined || other.sessions === undefined) return { url, certificateHashes };
  return { url, certificateHashes, sessions: one.sessions + other.sessions };
}
