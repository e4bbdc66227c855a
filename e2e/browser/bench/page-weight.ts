/** What a browser that has never seen the page fetches until the film shows. */
import type { FilmSource } from "../../../media/package-film.ts";
import { openPage } from "../browsers/browser.ts";
import { findBrowser } from "../browsers/find-browser.ts";
import { type PageWeight, weighPage } from "../browsers/page-weight.ts";
import { withProduct } from "../product/with-page.ts";
import type { BenchContext, Figure } from "./benchmark.ts";
import { atMost, medianFigure } from "./figures.ts";

const FILM: FilmSource = { kind: "demo" };

export async function run(bench: BenchContext): Promise<Figure[]> {
  const program = await findBrowser();
  const weights: PageWeight[] = [];
  for (const _page of bench.turns(["page"])) {
    weights.push(
      await withProduct({ program, film: FILM }, async ({ product, browser }) => {
        const { page } = await openPage(browser, product.address);
        await page.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
        return weighPage(page);
      }),
    );
  }
  const kilobytes = (what: string, read: (weight: PageWeight) => number, most?: number) =>
    medianFigure(
      what,
      weights.map((weight) => read(weight) / 1000),
      "kB",
      most === undefined ? null : atMost(most),
    );
  return [
    kilobytes("script", ({ scriptBytes }) => scriptBytes),
    kilobytes("style", ({ styleBytes }) => styleBytes),
    kilobytes("WebAssembly, without the policies' runtime", ({ wasmBytes }) => wasmBytes),
    kilobytes("all", (weight) => weight.scriptBytes + weight.styleBytes + weight.wasmBytes, 600),
  ];
}
