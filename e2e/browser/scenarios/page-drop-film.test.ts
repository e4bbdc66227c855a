import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, Page } from "puppeteer";
import { expect, test } from "vitest";
import { presentationOf } from "../cell/presentation.ts";
import { onPage, playsOn, withPages } from "./page.ts";
import { TEST_FILM } from "./scenario.ts";

/** Of CDP: what is dragged may be copied. */
const COPY = 1;

test("a film dropped on the page is packaged and plays, and stays in its menu", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-drop-"));
  try {
    const film = join(folder, "holiday.mp4");
    await writeFile(film, await shortFilm());
    await withPages(context, async (running) => {
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
