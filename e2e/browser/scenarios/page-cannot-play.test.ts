import type { Page } from "puppeteer";
import { expect, test } from "vitest";
import { openPage } from "../browsers/browser.ts";
import type { RunningProduct } from "../product/with-page.ts";
import { withPages } from "./page.ts";

const LACKS_H264 = `
  const { isTypeSupported } = MediaSource;
  MediaSource.isTypeSupported = (type) => !type.includes("avc1") && isTypeSupported.call(MediaSource, type);`;

test("one sentence says why nothing plays, and what to do", async (context) => {
  await withPages(context, async (running) => {
    const cubik = await opened(running, "/?scheme=cubik");
    expect(await said(cubik)).toBe(
      "There is no scheme called cubik; the nearest is cubic. Play with scheme cubic",
    );
    await cubik.click("#notice button");
    await cubik.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
    expect(new URL(cubik.url()).searchParams.get("scheme")).toBe("cubic");
    await cubik.close();

    const codec = await opened(running, "/", async (page) => {
      await page.evaluateOnNewDocument(LACKS_H264);
    });
    expect(await said(codec)).toMatch(
      /^This browser cannot decode the film’s video, H\.264 \(avc1\.\w+\); use /,
    );
    await codec.waitForFunction("document.getElementById('path-text').textContent.startsWith('Not playing')");
    await codec.close();

    const noManifest = await opened(running, "/", (page) => manifestIs(page, "<html><p>Hello</p></html>"));
    expect(await said(noManifest)).toMatch(/^\/media\/manifest\.mpd is no DASH manifest \(MPD\); /);
  });
});

async function opened(
  { product, browser }: RunningProduct,
  path: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<Page> {
  return (await openPage(browser, `${product.address}${path}`, prepare)).page;
}

async function said(page: Page): Promise<string> {
  await page.waitForSelector("#notice:not([hidden])");
  return page.$eval("#notice", ({ textContent }) => textContent ?? "");
}

async function manifestIs(page: Page, body: string): Promise<void> {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isManifest = request.url().endsWith(".mpd");
    void (isManifest ? request.respond({ contentType: "application/dash+xml", body }) : request.continue());
  });
}
