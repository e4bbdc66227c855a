/**
 * `npm run pictures`: the pages as a newcomer sees them, on a laptop and a phone, by day and by night; of films soon after the
 * start and later. Words choose: `npm run pictures -- compare phone`. With `--docs` the two pictures of the README are taken instead.
 */
import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page, Viewport } from "puppeteer";
import { abortOnSignals } from "../../server/setup/interruption.ts";
import { DEFAULT_LINK } from "../../server/setup/options.ts";
import { ROOT } from "../../server/setup/paths.ts";
import { openPage } from "./browsers/browser.ts";
import { findBrowser } from "./browsers/find-browser.ts";
import { BUILD_DIRECTORY } from "./environment.ts";
import { prepareMachine } from "./prepare-machine.ts";
import { withProduct } from "./product/with-page.ts";

const FILM_PAGES = { page: "/", compare: "/compare.html" } as const;
const PAST_PAGE = "sessions";
const PAGE_NAMES = [...Object.keys(FILM_PAGES), PAST_PAGE];
/** What was watched before the past is looked at: queries of the page. */
const WATCHED = ["?scheme=cubic&rule=dynamic", "?scheme=nuwa"] as const;
const WATCHED_SECONDS = 40;
const SCREENS: Readonly<Record<string, Viewport>> = {
  laptop: { width: 1366, height: 768 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};
const COLOURS = ["light", "dark"] as const;
const AFTER_SECONDS = [3, 30] as const;
/** For charts to take up other colours. */
const REDRAWN_MS = 700;
const DOCS_SCREEN: Viewport = { width: 1280, height: 800, deviceScaleFactor: 1.5 };
const DOCS_SECONDS = 30;

const USAGE = `Takes pictures of the pages as a newcomer sees them, soon after the start and later.

  npm run pictures -- [${PAGE_NAMES.join("|")}] [${Object.keys(SCREENS).join("|")}] [--docs]

  --docs  the README's pictures instead
  --help  this text
`;

const words = process.argv.slice(2);
const chosen = new Set(words);
/** Of some names those that were asked for, or all where none was. */
const among = (names: readonly string[]): ((name: string) => boolean) => {
  const isAnyChosen = names.some((name) => chosen.has(name));
  return (name) => !isAnyChosen || chosen.has(name);
};

async function main(): Promise<void> {
  const signal = abortOnSignals();
  await prepareMachine(signal);
  const program = await findBrowser();
  const isForDocs = chosen.has("--docs");
  const directory = isForDocs ? join(ROOT, "player", "docs") : join(BUILD_DIRECTORY, "e2e", "pictures");
  await mkdir(directory, { recursive: true });
  const isWanted = among(PAGE_NAMES);
  const order = { program, film: { kind: "demo" }, serverArgs: ["--link", DEFAULT_LINK] } as const;
  for (const [name, path] of Object.entries(FILM_PAGES)) {
    if (!isWanted(name)) continue;
    await withProduct(order, async ({ product, browser }) => {
      const url = `${product.address}${path}`;
      if (isForDocs) await forDocs(browser, url, join(directory, name));
      else await everyScreen(browser, url, join(directory, name), signal);
    });
  }
  if (isWanted(PAST_PAGE) && !isForDocs) {
    await withProduct(order, async ({ product, browser }) => {
      for (const query of WATCHED) await watch(browser, `${product.address}/${query}`, signal);
      await past(browser, `${product.address}/sessions.html`, join(directory, PAST_PAGE));
    });
  }
  process.stdout.write(`Pictures: ${relative(process.cwd(), directory)}\n`);
}

async function watch(browser: Browser, url: string, signal: AbortSignal): Promise<void> {
  const page = await open(browser, url, DOCS_SCREEN);
  await pause(1000 * WATCHED_SECONDS, undefined, { signal });
  await page.close();
}

async function past(browser: Browser, url: string, file: string): Promise<void> {
  const isWanted = among(Object.keys(SCREENS));
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    if (!isWanted(screen)) continue;
    const { page } = await openPage(browser, url, (blank) => blank.setViewport(viewport));
    await page.waitForSelector("#score tr");
    for (const colours of COLOURS) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: colours }]);
      await pause(REDRAWN_MS);
      await page.screenshot({ path: `${file}-${screen}-${colours}.png` });
    }
    await whole(page, viewport, `${file}-${screen}-whole.png`);
    await page.close();
  }
}

async function everyScreen(browser: Browser, url: string, file: string, signal: AbortSignal): Promise<void> {
  const isWanted = among(Object.keys(SCREENS));
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    if (!isWanted(screen)) continue;
    const page = await open(browser, url, viewport);
    let shownSeconds = 0;
    for (const seconds of AFTER_SECONDS) {
      await pause(1000 * (seconds - shownSeconds), undefined, { signal });
      shownSeconds = seconds;
      for (const colours of COLOURS) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: colours }]);
        await pause(REDRAWN_MS);
        await page.screenshot({ path: `${file}-${screen}-${colours}-${seconds}s.png` });
      }
    }
    await whole(page, viewport, `${file}-${screen}-whole.png`);
    await page.close();
  }
}

/** On a screen that is as high as the page: charts that are out of sight are not drawn. */
async function whole(page: Page, viewport: Viewport, path: string): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewport({ ...viewport, height });
  await pause(REDRAWN_MS);
  await page.screenshot({ path, fullPage: true });
}

async function forDocs(browser: Browser, url: string, file: string): Promise<void> {
  const page = await open(browser, url, DOCS_SCREEN);
  await pause(1000 * DOCS_SECONDS);
  await page.screenshot({ path: `${file}.webp`, type: "webp", quality: 60 });
  await page.close();
}

async function open(browser: Browser, url: string, viewport: Viewport): Promise<Page> {
  const { page } = await openPage(browser, url, (blank) => blank.setViewport(viewport));
  await page.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
  return page;
}

const unknown = words.find((word) => !PAGE_NAMES.includes(word) && !(word in SCREENS) && word !== "--docs");
try {
  if (chosen.has("--help") || chosen.has("-h")) process.stdout.write(USAGE);
  else if (unknown !== undefined) {
    process.stderr.write(
      `pictures: no page, screen or option is called ${unknown}; see npm run pictures -- --help\n`,
    );
    process.exitCode = 2;
  } else await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
