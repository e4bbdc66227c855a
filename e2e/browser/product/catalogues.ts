import type { Registry } from "../../../server/registry.ts";
import { type Links, readLinks } from "../../../server/setup/links.ts";
import { readRegistry } from "../../../server/setup/registry.ts";

/** What `npm start` asks Python before it serves. */
export interface Catalogues {
  readonly registry: Registry;
  readonly links: Links;
}

/** Asks two Pythons. */
export async function readCatalogues(): Promise<Catalogues> {
  const [registry, links] = await Promise.all([readRegistry(), readLinks()]);
  return { registry, links };
}
