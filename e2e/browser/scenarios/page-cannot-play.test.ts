import type { Page } from "puppeteer";
import { expect } from "vitest";
import { openPage } from "../browsers/browser.ts";
import { type RunningPages, test } from "./page.ts";
import { hardToPress } from "./sizes.ts";

const NO_MANIFEST = "<html><p>Hello</p></html>";
const LACKS_H264 = `
  const { isTypeSupported } = MediaSource;
  MediaSource.isTypeSupported = (type) => !type.includes("avc1") && isTypeSupported.call(MediaSource, type);`;
const FILMS_OF_PAGES = [
  ["/", 1],
  ["/compare.html", 2],
  ["/sessions.html", 0],
  ["/bulk.html", 0],
] as const;

test("one sentence says why nothing plays, and what to do", async ({ withPages }) => {
  await withPages(async (running) => {
    const cubik = await opened(running, "/?scheme=cubik");
    expect(await said(cubik)).toBe(
      "There is no scheme called cubik; the nearest is cubic. Play with scheme cubic",
    );
    expect(await hardToPress(cubik)).toEqual([]);
    await cubik.click("#notice button");
    await cubik.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
    expect(new URL(cubik.url()).searchParams.get("scheme")).toBe("cubic");
    await expectChartsAndControls(cubik, "#quality");
    await cubik.close();

    const codec = await opened(running, "/", async (page) => {
      await page.evaluateOnNewDocument(LACKS_H264);
    });
    expect(await said(codec)).toMatch(
      /^This browser cannot decode the film’s video, H\.264 \(avc1\.\w+\); use /,
    );
    await codec.waitForFunction("document.getElementById('path-text').textContent.startsWith('Not playing')");
    await codec.close();

    const noManifest = await opened(running, "/", (page) => manifestIs(page, NO_MANIFEST));
    expect(await said(noManifest)).toMatch(/^\/media\/manifest\.mpd is no DASH manifest \(MPD\); .* Reload$/);
    await Promise.all([noManifest.waitForNavigation(), noManifest.click("#notice button")]);
    await noManifest.close();

    const oneOfTwo = await opened(running, "/compare.html?link=none", (page) =>
      manifestIs(page, NO_MANIFEST, 1),
    );
    expect(await said(oneOfTwo)).toMatch(/is no DASH manifest/);
    await expectChartsAndControls(oneOfTwo, "#left-quality");
  });
});

test("what says that nothing plays, or is listed or measured, cannot be dismissed", async ({ withPages }) => {
  await withPages(async (running) => {
    for (const [path, films] of FILMS_OF_PAGES) {
      const page = await opened(running, path, hasNoConfig);
      expect(await said(page), path).toMatch("404 to /api/config");
      expect(await page.$("#notice .dismiss"), path).toBeNull();
      await page.waitForFunction(sayNothingPlays, {}, films);
      await page.close();
    }

    const cubik = await opened(running, "/compare.html?left_scheme=cubik&byts=5");
    await cubik.waitForFunction("document.querySelector('#notice').textContent.includes('cubik')");
    expect(await cubik.$("#notice .dismiss")).toBeNull();
    await cubik.click("#play");
    await cubik.waitForFunction("document.querySelector('#notice').textContent.includes('byts')");
    await cubik.click("#notice .dismiss");
    await cubik.waitForSelector("#notice[hidden]");
  });
});

/** Whether a sentence of each of its films says so. */
function sayNothingPlays(films: number): boolean {
  const paths = [...document.querySelectorAll(".path span")].filter(({ textContent }) => textContent !== "");
  return paths.length === films && paths.every(({ textContent }) => textContent?.startsWith("Not playing"));
}

async function hasNoConfig(page: Page): Promise<void> {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isConfig = request.url().endsWith("/api/config");
    void (isConfig ? request.respond({ status: 404, body: "{}" }) : request.continue());
  });
}

async function opened(
  { product, browser }: RunningPages,
  path: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<Page> {
  return (await openPage(browser, `${product.address}${path}`, prepare)).page;
}

async function said(page: Page): Promise<string> {
  await page.waitForSelector("#notice:not([hidden])");
  return page.$eval("#notice", ({ textContent }) => textContent ?? "");
}

/** What a film that plays has below it, whatever failed before. */
async function expectChartsAndControls(page: Page, control: string): Promise<void> {
  await page.waitForSelector(`${control}:enabled`);
  await page.waitForSelector("#download:enabled");
  await page.waitForSelector("#charts canvas");
}

/** @param times how often; the manifest as it is afterwards */
async function manifestIs(page: Page, body: string, times = Number.POSITIVE_INFINITY): Promise<void> {
  let answered = 0;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isAnswered = request.url().endsWith(".mpd") && ++answered <= times;
    void (isAnswered ? request.respond({ contentType: "application/dash+xml", body }) : request.continue());
  });
}
