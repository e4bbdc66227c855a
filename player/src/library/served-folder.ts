import { isDocument, isList } from "../options/server-source.ts";
import type { NuwaOptions } from "./nuwa-api.ts";

/** The folder that a media server is taken to serve, where the page does not say it: that of the first manifest. */
export class ServedFolder {
  static readonly #ofServer = new Map<string, ServedFolder>();
  #source: unknown = null;
  #url: string | null = null;

  /** One for all attachments of the page to one media server, which serves one folder. */
  static of(server: NuwaOptions["server"]): ServedFolder {
    const name = serverName(server);
    const known = ServedFolder.#ofServer.get(name) ?? new ServedFolder();
    ServedFolder.#ofServer.set(name, known);
    return known;
  }

  /**
   * A manifest came. Segments of films mostly have the same names: what is asked for as another film's would be the first
   * one's. The same source may come from elsewhere each time, as redirects have it.
   */
  onManifest(source: unknown, manifestUrl: string): void {
    this.#source ??= source;
    if (source === this.#source) {
      this.#url = new URL(".", manifestUrl).href;
    }
  }

  /** Absolute, with the slash at its end; null before the first manifest. */
  get url(): string | null {
    return this.#url;
  }
}

/** The same for all that may be one server: else its first film would be played as another. */
function serverName(server: NuwaOptions["server"]): string {
  if (server === null || typeof server === "function") {
    return typeof server; // each component may bring a function of its own
  }
  const urls = isDocument(server) ? [server] : isList(server) ? server : [server.url];
  return urls
    .map((url) => {
      const { origin, pathname } = new URL(url, document.baseURI); // queries hold tokens, and what keeps caches away
      return origin + pathname;
    })
    .join();
}
