import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import { expect } from "vitest";
import type { PageRecords } from "../page-process/job.ts";
import { onPage, test } from "./page.ts";

const LINK_BITS_PER_SECOND = 6e6;
const WATCH_SECONDS = 15;

interface Side {
  records(): PageRecords;
  snapshot(): { path: { kind: string } | null; currentSeconds: number };
}

interface PageGlobals {
  nuwaStream: { ready: Promise<void>; sides: [Side, Side] };
}

test("two films play side by side, each over a lane of its own of the same emulated link", async ({
  withPages,
}) => {
  await withPages(async (running) => {
    await onPage(running, "/compare.html?link=6mbit&link_delay_ms=99999", async (page) => {
      expect(await page.$eval("#notice", ({ textContent }) => textContent)).toMatch(
        /^link_delay_ms must be /,
      );
      await page.evaluate(() => (globalThis as unknown as PageGlobals).nuwaStream.ready);
      await pause(WATCH_SECONDS * 1000);
      const sides = await seenOfSides(page);
      for (const side of sides) {
        expect(side.path).toBe("webtransport");
        expect(side.playedSeconds).toBeGreaterThan(WATCH_SECONDS / 2);
        expect(side.bitsPerSecond).toBeGreaterThan(0.3 * LINK_BITS_PER_SECOND);
        expect(side.bitsPerSecond).toBeLessThan(LINK_BITS_PER_SECOND);
      }
      const together = sides.reduce((sum, { bitsPerSecond }) => sum + bitsPerSecond, 0);
      expect(together).toBeGreaterThan(LINK_BITS_PER_SECOND); // more than one lane can carry
      await controls(page);
    });
  });
});

/** What a viewer does with the two. */
async function controls(page: Page): Promise<void> {
  await page.waitForSelector("#left-quality:enabled option:nth-child(2)");
  const lowest = await page.$eval(
    "#left-quality option:last-child",
    (option) => (option as HTMLOptionElement).value,
  );
  await page.select("#left-quality", lowest);
  expect(new URL(page.url()).searchParams.get("left_quality_kbit")).toMatch(/^\d+$/);
  await page.select("#sound-of", "right");
  expect(await page.$$eval("video", (videos) => videos.map(({ muted }) => muted))).toEqual([true, false]);
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("k");
  expect(await page.$$eval("video", (videos) => videos.map(({ paused }) => paused))).toEqual([true, true]);
  await page.keyboard.press("d");
  await page.waitForSelector("dialog[open] .downloads");
  expect(await page.$$eval("dialog select option", (options) => options.map(({ text }) => text))).toEqual([
    "Kuafu",
    "CUBIC",
  ]);
  await page.keyboard.press("Escape");

  await page.setViewport({ width: 390, height: 844 }); // its choices are folded in
  await page.waitForSelector("#left-fold:not([open])");
  await page.keyboard.press("s");
  await page.waitForFunction("document.activeElement.id === 'left-scheme'");

  await page.select("#right-scheme", "kuafu"); // now it is the rules that tell them apart, by longer names
  await page.waitForFunction(
    "document.querySelector('#right-name').textContent === 'Kuafu, dash.js dynamic'",
  );
  await page.waitForFunction("document.documentElement.scrollWidth <= innerWidth");
}

/** No inner functions here: what the compiler adds to a named function does not exist in the page. */
async function seenOfSides(page: Page) {
  return page.evaluate(() =>
    (globalThis as unknown as PageGlobals).nuwaStream.sides.map((side) => {
      const { segments } = side.records();
      const { path, currentSeconds } = side.snapshot();
      const fromMs = Math.min(...segments.map(({ requestedAtMs }) => requestedAtMs));
      const toMs = Math.max(...segments.map(({ endedAtMs }) => endedAtMs));
      const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
      return {
        path: path?.kind ?? null,
        playedSeconds: currentSeconds,
        bitsPerSecond: (bytes * 8) / ((toMs - fromMs) / 1000),
      };
    }),
  );
}
