import { isDocument } from "../options/server-source.ts";
import { type ServerAddress, workersOf } from "../session/server-address.ts";
import type { NuwaOptions } from "./nuwa-api.ts";

/** A server's folder under each of its names. */
const known = new Map<string, ServedFolder>();

/**
 * The folder that a media server is taken to serve, where the page does not say it: that of the first manifest.
 *
 * A page knows a server by names: the documents that it asks for its address, the URLs that it gets, the certificates. Two that
 * share a name are one, however each was said. What is taken for two though it is one would play the first's film as the other's.
 */
export class ServedFolder {
  /** The one that this turned out to be. */
  #same: ServedFolder | null = null;
  /** The source of the first manifest; null before it. */
  film: unknown = null;
  /** Absolute, with the slash at its end; null before the first manifest. */
  url: string | null = null;

  constructor(server: NuwaOptions["server"]) {
    for (const part of [server].flat()) {
      if (part !== null && isDocument(part)) this.#learn(new URL(part, document.baseURI).href);
    }
  }

  /** Which server it is. */
  readonly learn = (address: ServerAddress | null): ServerAddress | null => {
    for (const { serverUrl, certificateHashes } of address === null ? [] : workersOf(address)) {
      for (const name of [new URL(serverUrl).href, ...certificateHashes]) this.#learn(name);
    }
    return address;
  };

  /**
   * A manifest came. Segments of films mostly have the same names: what is asked for as another film's would be the first
   * one's. The same source may come from elsewhere each time, as redirects have it.
   */
  onManifest(source: unknown, manifestUrl: string): void {
    const first = this.first();
    first.film ??= source;
    if (source === first.film) {
      first.url = new URL(".", manifestUrl).href;
    }
  }

  /** The one that knows the film. */
  first(): ServedFolder {
    return this.#same?.first() ?? this;
  }

  #learn(name: string): void {
    const mine = this.first();
    const other = known.get(name)?.first() ?? mine;
    if (other !== mine) {
      const [kept, merged] = other.film === null ? [mine, other] : [other, mine];
      merged.#same = kept;
    }
    known.set(name, this);
  }
}
