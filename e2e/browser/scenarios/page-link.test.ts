import type { Page } from "puppeteer";
import { expect } from "vitest";
import { openPage } from "../browsers/browser.ts";
import { onPage, playsOn, test } from "./page.ts";

interface PageGlobals {
  nuwaStream: { snapshot(): { link: { name: string } | null; path: { kind: string } | null } };
}

test("links can be emulated, changed and taken away while the film plays", async ({ withPages }) => {
  await withPages(async (running) => {
    await onPage(running, "/", async (page) => {
      const names = await page.$$eval("#link option", (options) => options.map(({ value }) => value));
      expect(names[0]).toBe("none");
      for (const name of [...names.slice(1, 3), "none"]) {
        await page.select("#link", name);
        await page.waitForFunction(
          (wanted) =>
            ((globalThis as unknown as PageGlobals).nuwaStream.snapshot().link?.name ?? "none") === wanted,
          {},
          name,
        );
        await playsOn(page, 3);
        await page.waitForFunction("nuwaStream.snapshot().path?.kind === 'webtransport'");
        if (name !== "none") await changesDelayByKeys(page);
      }
    });
  });
});

test("a link that the server cannot change now is asked for again by a button, and the focus goes to its menu", async ({
  withPages,
}) => {
  await withPages(async ({ product, browser }) => {
    const { page } = await openPage(browser, `${product.address}/?charts=0`); // which reports what is refused as an error
    await page.waitForSelector("#link:not([disabled]) option[value=lte-like]");
    await page.setRequestInterception(true);
    let isRefusing = true;
    page.on("request", (request) => {
      const isRefused = isRefusing && request.method() === "PUT";
      void (isRefused ? request.respond(BUSY) : request.continue());
    });
    await page.select("#link", "lte-like");
    await page.waitForSelector("#notice button");
    expect(await page.$eval("#link", (menu) => (menu as HTMLSelectElement).value)).toBe("lte-like");
    isRefusing = false;
    await page.click("#notice button");
    await page.waitForFunction("nuwaStream.snapshot().link?.name === 'lte-like'");
    await page.waitForSelector("#notice[hidden]");
    expect(await page.evaluate("document.activeElement.id")).toBe("link");
    await page.close();
  });
});

const BUSY = {
  status: 503,
  contentType: "application/json",
  body: JSON.stringify({ error: { status: 503, reason: "the link is being started again", field: null } }),
};

/** Tab leads to the next field, whatever is disabled while the server is asked. */
async function changesDelayByKeys(page: Page): Promise<void> {
  await page.$eval(".more", (fold) => {
    (fold as HTMLDetailsElement).open = true;
  });
  await page.click("#link-delay", { count: 3 });
  await page.keyboard.type("33");
  await page.keyboard.press("Tab");
  await page.waitForFunction("nuwaStream.snapshot().link?.delayMs === 33");
  await page.waitForFunction("document.activeElement.id === 'link-queue'");
}
