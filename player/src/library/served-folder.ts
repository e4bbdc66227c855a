import { isDocument, isList } from "../options/server-source.ts";
import type { AskAddress, ServerAddress } from "../session/server-address.ts";
import type { NuwaOptions } from "./nuwa-api.ts";

/**
 * The folder that a media server is taken to serve, where the page does not say it: that of the first manifest.
 *
 * A page knows a server by names: the documents that it asks for its address, the URLs that it gets, the certificates. Two that
 * share a name are one, however each was said. What is taken for two though it is one would play the first's film as the other's.
 */
export class ServedFolder {
  static readonly #byName = new Map<string, ServedFolder>();
  /** The one that this turned out to be. */
  #same: ServedFolder | null = null;
  #source: unknown = null;
  #url: string | null = null;

  constructor(server: NuwaOptions["server"]) {
    if (server !== null && typeof server !== "function") {
      const documents = isDocument(server) ? [server] : isList(server) ? server : [];
      this.#learn(documents.map((url) => new URL(url, document.baseURI).href));
    }
  }

  /** Asks as `ask`; each answer tells which server it is. */
  learning(ask: AskAddress | null): AskAddress | null {
    return (
      ask &&
      (async (signal) => {
        const address = await ask(signal);
        this.#learn(address === null ? [] : namesOf(address));
        return address;
      })
    );
  }

  /**
   * A manifest came. Segments of films mostly have the same names: what is asked for as another film's would be the first
   * one's. The same source may come from elsewhere each time, as redirects have it.
   */
  onManifest(source: unknown, manifestUrl: string): void {
    const first = this.#first();
    first.#source ??= source;
    if (source === first.#source) {
      first.#url = new URL(".", manifestUrl).href;
    }
  }

  /** The source of the first manifest. */
  get film(): unknown {
    return this.#first().#source;
  }

  /** Absolute, with the slash at its end; null before the first manifest. */
  get url(): string | null {
    return this.#first().#url;
  }

  #learn(names: readonly string[]): void {
    const known = ServedFolder.#byName;
    for (const name of names) {
      const mine = this.#first();
      const other = (known.get(name) ?? mine).#first();
      if (other !== mine) {
        const hasFirstFilm = other.#url === null && mine.#url !== null;
        const [kept, merged] = hasFirstFilm ? [mine, other] : [other, mine];
        merged.#same = kept;
      }
      known.set(name, this.#first());
    }
  }

  #first(): ServedFolder {
    return this.#same === null ? this : this.#same.#first();
  }
}

/** Of all workers, each with its certificates: whichever a session is opened at. */
function namesOf({ serverUrl, certificateHashes, workers = [] }: ServerAddress): string[] {
  return [{ serverUrl, certificateHashes }, ...workers].flatMap((worker) => [
    new URL(worker.serverUrl).href,
    ...worker.certificateHashes,
  ]);
}
