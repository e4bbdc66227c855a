import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, HTTPResponse, Page } from "puppeteer";
import { expect } from "vitest";
import { openPage } from "../browsers/browser.ts";
import { presentationOf } from "../cell/presentation.ts";
import { onPage, playsOn, test } from "./page.ts";
import { TEST_FILM } from "./scenario.ts";

/** Of CDP: what is dragged may be copied. */
const COPY = 1;
const SAID = "document.querySelector('#notice').textContent";
const isOfFilms = (response: HTTPResponse): boolean => response.url().includes("/api/films?name=");

test("a file that is no film can be chosen again, and its bar stands below what is said there", async ({
  withPages,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-drop-"));
  try {
    const file = join(folder, "letter.mp4");
    await writeFile(file, "Dear viewer, this is no film.");
    await withPages(async ({ product, browser }) => {
      const url = `${product.address}/?muted=1&link=none&colour=red`;
      const { page, problems } = await openPage(browser, url);
      await page.waitForSelector("#add-film:not([hidden])");
      await page.waitForFunction(`${SAID}.includes('colour')`);
      await page.evaluate(writeDownTheOrder);
      const input = await page.waitForSelector("input[type=file]");
      for (const _ of ["once", "again"]) {
        await Promise.all([page.waitForResponse(isOfFilms), input?.uploadFile(file)]);
        await page.waitForSelector("#adding[hidden]");
        await page.waitForFunction(`!${SAID}.includes('colour')`);
      }
      expect(await page.evaluate("orders")).toEqual(["notice, adding", "notice, adding"]);
      expect(problems.filter((problem) => !problem.includes("/api/films"))).toEqual([]);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a film dropped on the page is packaged and plays, and stays in its menu", async ({ withPages }) => {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-drop-"));
  try {
    const film = join(folder, "holiday.mp4");
    await writeFile(film, await shortFilm());
    await withPages(async (running) => {
      await onPage(running, "/?muted=1&link=none", async (page) => {
        await page.waitForSelector("#add-film:not([hidden])");
        await drop(page, film);
        await page.waitForSelector("#adding:not([hidden])");
        await page.waitForFunction("new URLSearchParams(location.search).get('film') === 'holiday'");
        await page.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
        await playsOn(page, 1);
        const titles = await page.$$eval("#film-choice option", (options) => options.map(({ text }) => text));
        expect(titles).toContain("holiday (4 s)");
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** What stands above what, each time that the bar comes: the sentence about the address stands then. */
function writeDownTheOrder(): void {
  const orders: string[] = [];
  Object.assign(globalThis, { orders });
  const bar = document.querySelector<HTMLElement>("#adding");
  new MutationObserver(() => {
    if (bar?.hidden !== false) return;
    const parts = [...document.querySelectorAll("#notice, #adding")];
    const byPlace = parts.sort(
      (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
    );
    orders.push(byPlace.map(({ id }) => id).join(", "));
  }).observe(bar as Node, { attributeFilter: ["hidden"] });
}

/** Four seconds of the lowest rung in one file. */
async function shortFilm(): Promise<Buffer> {
  const { directory } = await presentationOf(TEST_FILM, () => undefined);
  const parts = ["init-0.m4s", "seg-0-00001.m4s", "seg-0-00002.m4s"];
  return Buffer.concat(await Promise.all(parts.map((part) => readFile(join(directory, part)))));
}

/** As a viewer drags a file of the computer over the page, and lets go. */
async function drop(page: Page, file: string): Promise<void> {
  const session: CDPSession = await page.createCDPSession();
  const data = { items: [], files: [file], dragOperationsMask: COPY };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
    if (type === "dragOver") await page.waitForSelector("body.dropping");
  }
  await session.detach();
}
