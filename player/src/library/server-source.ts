import type { AskAddress, ServerAddress } from "../session/server-address.ts";
import type { MediaServerAddress, NuwaOptions } from "./nuwa-api.ts";

/** What asks for the media server's address, whichever way the page says it. */
export function askerOf(server: Exclude<NuwaOptions["server"], null>): AskAddress {
  if (typeof server === "function") {
    return async (signal) => {
      const address = await server(signal);
      return address === null ? null : toServerAddress(address);
    };
  }
  if (typeof server === "string") {
    return (signal) => fetchAddress(server, signal);
  }
  const address = toServerAddress(server);
  return () => Promise.resolve(address);
}

/** Reads `{ url, certificateHashes }`, or null. Throws where there is no such document. */
async function fetchAddress(documentUrl: string, signal: AbortSignal): Promise<ServerAddress | null> {
  const response = await fetch(documentUrl, { cache: "no-store", signal });
  if (!response.ok) {
    throw new Error(`${documentUrl} is to say where the media server is, but answers ${response.status}`);
  }
  const body: unknown = await response.json();
  return body === null ? null : toServerAddress(body, documentUrl);
}

/** Checked wherever it comes from: an address that is none is to be told, not to fail deep in a session. */
function toServerAddress(address: unknown, source = "the media server's address"): ServerAddress {
  if (!isAddress(address)) {
    throw new Error(`${source} is to be { "url": "https://HOST:PORT", "certificateHashes": ["..."] }`);
  }
  const { url, certificateHashes, isEmulated = false } = address;
  return { serverUrl: url, certificateHashes, isEmulated };
}

function isAddress(body: unknown): body is MediaServerAddress {
  const { url, certificateHashes } = Object(body) as Partial<Record<keyof MediaServerAddress, unknown>>;
  return (
    typeof url === "string" &&
    Array.isArray(certificateHashes) &&
    certificateHashes.every((hash) => typeof hash === "string")
  );
}
