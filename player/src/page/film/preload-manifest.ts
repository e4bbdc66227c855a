import { notLoadedSentence } from "./refusals/why-not-played.ts";

/**
 * Fetches the manifest while the player's code is still on its way.
 *
 * @param onFailure gets one sentence, long before dash.js has tried often enough
 */
export function preloadManifest(href: string, onFailure: (sentence: string) => void): void {
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "fetch", href, crossOrigin: "anonymous" });
  link.addEventListener("error", () => void sayWhy(href, onFailure));
  document.head.append(link);
}

async function sayWhy(href: string, onFailure: (sentence: string) => void): Promise<void> {
  const status = await fetch(href).then(
    (response) => response.status,
    () => null,
  );
  if (status !== 200) {
    onFailure(notLoadedSentence(href, status));
  }
}
