import type { Page } from "puppeteer";
import { expect, type TestContext } from "vitest";
import { openPage } from "../browsers/browser.ts";
import { type ProductOptions, type RunningProduct, withProduct } from "../product/with-page.ts";
import { requireBrowser } from "../requirements.ts";
import { TEST_FILM } from "./scenario.ts";

/** Runs the product and a browser for a test that opens its pages. */
export async function withPages(
  context: TestContext,
  use: (running: RunningProduct) => Promise<void>,
  options: Pick<ProductOptions, "policyDirectory" | "serverArgs"> = {},
): Promise<void> {
  const program = await requireBrowser(context);
  await withProduct({ program, film: TEST_FILM, ...options }, use);
}

/** Opens a page, path and query, does with it what the test does, and fails the test for whatever it reports as an error. */
export async function onPage(
  { product, browser }: RunningProduct,
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
