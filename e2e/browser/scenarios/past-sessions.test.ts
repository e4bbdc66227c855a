import type { Page } from "puppeteer";
import { expect } from "vitest";
import { openPage } from "../browsers/browser.ts";
import { graveViolations } from "./axe.ts";
import { onPage, type RunningPages, test } from "./page.ts";
import { hardToPress, largeText } from "./sizes.ts";

test("sessions that are over are listed, and two of them stand beside each other, on a phone, too", async ({
  withPages,
}) => {
  await withPages(async (running) => {
    const { product, browser } = running;
    await nothingYet(running);
    for (const scheme of ["nuwa", "cubic"]) {
      await onPage(running, `/?scheme=${scheme}`, reported);
    }
    const { page, problems } = await openPage(browser, `${product.address}/sessions.html`);
    await page.waitForFunction("document.querySelector('#right-name').textContent.startsWith('CUBIC')");
    expect(await textsOf(page, "#left-name")).toEqual(["Nuwa"]);
    expect(await textsOf(page, "#sessions tbody td:nth-child(3)")).toEqual(["CUBIC", "Nuwa"]);
    await page.waitForSelector("#charts canvas");
    await page.waitForFunction(
      "[...document.querySelectorAll('#charts .legend-entry:not([hidden]) output')].every(({ textContent }) => textContent !== '–')",
    );

    await page.click("#sessions tbody tr:nth-child(1) input[name=left]");
    await page.waitForFunction("document.querySelector('#left-name').textContent.startsWith('CUBIC')");
    expect(new URL(page.url()).searchParams.get("left")).toMatch(/^[0-9a-f-]{36}$/);

    expect(await graveViolations(page)).toEqual([]);
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
    expect(await sidewaysByKeys(page)).toBeGreaterThan(0);
    expect(await hardToPress(page)).toEqual([]);
    expect(await largeText(page)).toEqual({ textPixels: "30px", tooWide: [] });
    expect(problems).toEqual([]);
    await page.close();
    await oneUnreadable(running);
  });
});

/** How far the table goes by an arrow key on the narrowest screen. */
async function sidewaysByKeys(page: Page): Promise<number> {
  await page.setViewport({ width: 320, height: 256 });
  await page.focus(".rows");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction("document.querySelector('.rows').scrollLeft > 0");
  return page.$eval(".rows", ({ scrollLeft }) => scrollLeft);
}

/** The other stands there all the same. */
async function oneUnreadable({ product, browser }: RunningPages): Promise<void> {
  const { page } = await openPage(browser, `${product.address}/sessions.html`, async (blank) => {
    let reads = 0;
    await blank.setRequestInterception(true);
    blank.on("request", (request) => {
      const isFirst = request.url().includes("/events.json") && reads++ === 0;
      void (isFirst ? request.respond({ status: 500, body: "no" }) : request.continue());
    });
  });
  await page.waitForSelector("#notice:not([hidden])");
  expect(await textsOf(page, "#notice")).toEqual(["Left: The server answered 500."]);
  await page.waitForFunction(
    "document.querySelector('#charts figure .legend-entry:nth-of-type(2) output').textContent !== '–'",
  );
  expect(await textsOf(page, "#left-name, #right-name")).toEqual(["Nuwa", "CUBIC"]);
}

/** One sentence, and no table or charts of nothing. */
async function nothingYet({ product, browser }: RunningPages): Promise<void> {
  const { page } = await openPage(browser, `${product.address}/sessions.html`);
  await page.waitForSelector("#empty:not([hidden])");
  expect(await page.$$eval("main > section:not([hidden])", (sections) => sections.length)).toBe(1);
  await page.close();
}

/** A report is kept: it is sent each five seconds. */
async function reported(page: Page): Promise<void> {
  const answered = await page.waitForResponse(
    (response) =>
      /sessions\/.*\/events$/.test(response.url()) &&
      (response.request().postData() ?? "").includes('"e":"t"'),
  );
  expect(answered.ok()).toBe(true);
}

const textsOf = (page: Page, selector: string): Promise<string[]> =>
  page.$$eval(selector, (elements) => elements.map(({ textContent }) => textContent));
