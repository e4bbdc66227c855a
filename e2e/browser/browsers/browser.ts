import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, LaunchOptions, Page } from "puppeteer";
import { chromiumOptions } from "./chromium.ts";
import { firefoxOptions } from "./firefox.ts";
import type { BrowserKind, BrowserProgram } from "./program.ts";

/** For a browser to start and for what is waited for in a page: bounds a hang only, however busy the machine is. */
const HANG_LIMIT_MS = 120_000;
const VIEWPORT = { width: 1280, height: 1000 };

const OPTIONS: Readonly<Record<BrowserKind, (extra: readonly string[]) => LaunchOptions>> = {
  chromium: chromiumOptions,
  firefox: firefoxOptions,
};

export interface OpenedPage {
  page: Page;
  /** Grows while the page is open. */
  problems: string[];
}

/**
 * @param extra further arguments of the browser
 * @param pipe talks to it by a pipe, also where it has another network; Chromium alone
 * @param viewport of its pages, CSS pixels: without a graphics card, what is seen of a film costs as much as its decoding
 */
export async function launchBrowser(
  { kind, path }: BrowserProgram,
  extra: readonly string[] = [],
  { pipe = false, viewport = VIEWPORT } = {},
): Promise<Browser> {
  // It takes long, and not everybody who is here launches one; imported, tsx would look at each of its modules besides.
  const { launch } = createRequire(import.meta.url)("puppeteer") as typeof import("puppeteer");
  return launch({
    ...OPTIONS[kind](extra),
    executablePath: path,
    headless: true,
    pipe,
    defaultViewport: viewport,
    timeout: HANG_LIMIT_MS,
  });
}

/**
 * Opens the page and writes down everything that it reports as an error.
 *
 * @param prepare what else is to be done with the blank page
 */
export async function openPage(
  browser: Browser | BrowserContext,
  url: string,
  prepare: (page: Page) => Promise<void> = async () => undefined,
): Promise<OpenedPage> {
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG_LIMIT_MS);
  const problems: string[] = [];
  page.on("pageerror", (error) => {
    problems.push(`uncaught: ${error instanceof Error ? error.message : String(error)}`);
  });
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const { url: source } = message.location();
    problems.push(`console: ${message.text()}${source === undefined ? "" : ` (${source})`}`);
  });
  page.on("error", (error) => {
    problems.push(`page crashed: ${error.message}`);
  });
  await page.evaluateOnNewDocument(await readFile(new URL("playback-probe.js", import.meta.url), "utf8"));
  await prepare(page);
  await page.goto(url, { waitUntil: "domcontentloaded" });
  return { page, problems };
}
