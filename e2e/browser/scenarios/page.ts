import type { Browser, BrowserContext, Page } from "puppeteer";
import { expect, test as testAlone } from "vitest";
import { launchBrowser, openPage } from "../browsers/browser.ts";
import { presentationOf } from "../cell/presentation.ts";
import { Product } from "../product/product.ts";
import { BUILT_PLAYER } from "../product/with-page.ts";
import { requireBrowser } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";
import { Shared } from "./shared.ts";

/** A product and a browser's window, which has nothing of other tests. */
export interface RunningPages {
  readonly product: Product;
  readonly browser: BrowserContext;
}

/**
 * Runs the product and a browser for a test that opens its pages. After a test that fails, or ends by its time limit, both are new. A product with arguments,
 * as after `npm start --`, is this test's alone.
 */
type WithPages = (
  use: (running: RunningPages) => Promise<void>,
  options?: { readonly serverArgs: readonly string[] },
) => Promise<void>;

/**
 * A test of pages. Those of a worker share a browser, and those of a file a product: to start them costs several times what most
 * tests do with them.
 */
export const test = testAlone
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it what a fixture needs
  .extend("sharedBrowser", { scope: "worker" }, ({}, { onCleanup }) => {
    const browser = new Shared<Browser>((started) => started.close());
    onCleanup(() => browser[Symbol.asyncDispose]());
    return browser;
  })
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend("sharedProduct", { scope: "file" }, ({}, { onCleanup }) => {
    const product = sharedProduct();
    onCleanup(() => product[Symbol.asyncDispose]());
    return product;
  })
  .extend("withPages", ({ sharedBrowser, sharedProduct: ofFile, skip, onTestFailed }): WithPages => {
    return async (use, { serverArgs } = { serverArgs: [] }) => {
      const program = await requireBrowser({ skip });
      await using ofTest = sharedProduct();
      const products = serverArgs.length > 0 ? ofTest : ofFile;
      onTestFailed(async () => {
        await Promise.all([products[Symbol.asyncDispose](), sharedBrowser[Symbol.asyncDispose]()]);
      });
      const [product, shared] = await Promise.all([
        products.get(() => startProduct(serverArgs)),
        sharedBrowser.get(() => launchBrowser(program)),
      ]);
      const browser = await shared.createBrowserContext();
      await use({ product, browser });
      await browser.close();
    };
  });

function sharedProduct(): Shared<Product> {
  return new Shared((started) => started[Symbol.asyncDispose]());
}

async function startProduct(serverArgs: readonly string[]): Promise<Product> {
  const presentation = await presentationOf(TEST_FILM, () => undefined);
  return Product.start({ args: ["--port", "0", ...serverArgs], presentation, playerDirectory: BUILT_PLAYER });
}

/** Opens a page, path and query, does with it what the test does, and fails the test for whatever it reports as an error. */
export async function onPage(
  { product, browser }: RunningPages,
  path: string,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, problems } = await openPage(browser, `${product.address}${path}`);
  await page.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
  await use(page);
  await page.close();
  expect(problems).toEqual([]);
}

/** Picks from a menu of choices, and waits until the address has it: a page waits for whoever walks on through the menu. */
export async function choose(page: Page, picker: string, value: string): Promise<void> {
  await page.select(`#${picker}`, value);
  await page.waitForFunction(
    (parameter, wanted) => new URLSearchParams(location.search).get(parameter) === wanted,
    {},
    picker,
    value,
  );
}

/** Waits until the film has gone on for so long from here; one that is being loaded goes to its place first. */
export async function playsOn(page: Page, seconds: number): Promise<void> {
  await makeRoom(page, seconds);
  await page.waitForFunction(() => {
    const video = document.querySelector("video");
    const hasData = (video?.readyState ?? 0) >= HTMLMediaElement.HAVE_FUTURE_DATA;
    return video !== null && hasData && !video.seeking && video.currentTime > 0;
  });
  const from = (await page.evaluate("document.querySelector('video').currentTime")) as number;
  await page.waitForFunction(`document.querySelector('video').currentTime >= ${from + seconds}`);
}

/** Begins the film anew if less of it is left: on a slow machine a short one ends before a test does. */
export async function makeRoom(page: Page, seconds: number): Promise<void> {
  await page.evaluate(async (neededSeconds) => {
    const video = document.querySelector("video");
    // a film that is being loaded has no duration yet, which is no number
    if (video === null || !(video.duration - video.currentTime <= neededSeconds)) return;
    const { ended } = video;
    video.currentTime = 0;
    if (ended) await video.play();
  }, 2 * seconds);
}
