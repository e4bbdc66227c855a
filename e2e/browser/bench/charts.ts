/** What the charts cost: the same film in one browser, with charts and without in turn. */
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "puppeteer";
import type { FilmSource } from "../../../media/package-film.ts";
import { openPage } from "../browsers/browser.ts";
import { findBrowser } from "../browsers/find-browser.ts";
import { withProduct } from "../product/with-page.ts";
import type { BenchContext, Figure } from "./benchmark.ts";
import { atMost, differences, medianFigure } from "./figures.ts";

const FILM: FilmSource = { kind: "demo" };
/** The film's beginning, with its downloads in a row, is over by then. */
const SETTLE_MS = 20_000;
const MEASURED_MS = 20_000;

const FOR_ONE_FILM = atMost(60);
const PAGES = { "the page": "/", "side by side": "/compare.html" } as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const program = await findBrowser();
  const figures: Figure[] = [];
  for (const [title, path] of Object.entries(PAGES)) {
    const taken = { with: [] as number[], without: [] as number[] };
    await withProduct({ program, film: FILM }, async ({ product, browser }) => {
      for (const arm of bench.turns(["with", "without"], `charts of ${title}, `)) {
        const query = arm === "with" ? "" : "?charts=0";
        taken[arm].push(await mainThreadMs(browser, `${product.address}${path}${query}`));
      }
    });
    const what = `${title}: main thread per second`;
    figures.push(
      medianFigure(`${what}, with charts`, taken.with, "ms", path === "/" ? FOR_ONE_FILM : null),
      medianFigure(`${what}, without`, taken.without, "ms"),
      medianFigure(`${what}, difference`, differences(taken.with, taken.without), "ms"),
    );
  }
  return figures;
}

/** Everything that the page's main thread does: scripts, style, layout, recording what is to be painted. */
async function mainThreadMs(browser: Browser, url: string): Promise<number> {
  const { page, problems } = await openPage(browser, url);
  try {
    await page.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
    await page.$eval("#charts", (place) => place.scrollIntoView({ block: "center" }));
    await pause(SETTLE_MS);
    const before = await taskSeconds(page);
    await pause(MEASURED_MS);
    const after = await taskSeconds(page);
    if (problems.length > 0) throw new Error(`the page reported errors: ${problems.join("; ")}`);
    return ((after.taskSeconds - before.taskSeconds) * 1000) / (after.atSeconds - before.atSeconds);
  } finally {
    await page.close();
  }
}

async function taskSeconds(page: Page): Promise<{ taskSeconds: number; atSeconds: number }> {
  const { TaskDuration: taskSeconds, Timestamp: atSeconds } = await page.metrics();
  if (taskSeconds === undefined || atSeconds === undefined)
    throw new Error("the browser does not tell what it did");
  return { taskSeconds, atSeconds };
}
