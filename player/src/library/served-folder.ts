import { isUrl } from "../options/option-types.ts";
import type { NuwaOptions } from "./nuwa-api.ts";

/** The folder that a media server is taken to serve, where the page does not say it: that of the first manifest. */
export class ServedFolder {
  static readonly #ofDocument = new Map<string, ServedFolder>();
  #source: unknown = null;
  #url: string | null = null;

  /** One for all attachments of the page with the same address document: what is behind it serves one folder. */
  static of(server: NuwaOptions["server"]): ServedFolder {
    const folder = new ServedFolder();
    if (typeof server !== "string" && !isUrl(server)) {
      return folder;
    }
    const document = String(server);
    const known = ServedFolder.#ofDocument.get(document) ?? folder;
    ServedFolder.#ofDocument.set(document, known);
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
