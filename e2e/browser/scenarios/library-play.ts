import { createServer } from "node:net";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { MediaPlayerClass } from "dashjs";
import type { Browser, Page } from "puppeteer";
import { expect } from "vitest";
import type { NetworkEstimate, NuwaCore, SchemeName } from "../../../player/src/core/index.ts";
import type { NuwaAttachment } from "../../../player/src/library/index.ts";
import { launchBrowser, openPage } from "../browsers/browser.ts";
import type { BrowserProgram } from "../browsers/program.ts";
import { MediaServer } from "../cell/media-server.ts";
import { Child } from "../process/child.ts";
import { VITE } from "./library-project.ts";
import { makeRoom } from "./page.ts";

/** What the documentation's first example leaves in the page. */
interface ExampleGlobals {
  readonly player: MediaPlayerClass;
  readonly nuwa: NuwaAttachment;
}

/** Bounds a hang only. */
const START_LIMIT_MS = 120_000;
const PLAYED_SECONDS = 5;
/** Plays these pages from Vite as the arguments start it, and takes the library off each. */
export async function playExample(
  project: string,
  program: BrowserProgram,
  arguments_: readonly string[],
  pages: readonly string[] = [""],
): Promise<void> {
  await eachPage(project, program, arguments_, pages, playPage);
}

/** Plays the pages of other players from Vite as the arguments start it, by Nuwa and by a scheme that is fetched. */
export async function playOtherPlayers(
  project: string,
  program: BrowserProgram,
  arguments_: readonly string[],
  pages: readonly string[],
): Promise<void> {
  await eachPage(project, program, arguments_, pages, async (browser, url) => {
    const { page, problems } = await openPage(browser, url);
    // Muted films may begin by themselves; these examples leave the beginning to whoever watches.
    await page.evaluate(() => {
      const video = document.querySelector("video");
      video?.addEventListener("canplay", () => void video.play(), { once: true });
    });
    await expectToPlay(page, "webtransport");
    expect(await fetchedSchemes(page)).toBe(false);
    const { cameBy, targetDelaySeconds } = await downloadUnder(page, "kuafu");
    expect([cameBy, await fetchedSchemes(page)]).toEqual(["webtransport", true]);
    expect(targetDelaySeconds).not.toBeNull(); // as where nobody but the sender controls
    expect(problems.filter((problem) => !problem.includes("favicon"))).toEqual([]);
    await page.close();
  });
}

/** Opens a session of the core under a scheme, and downloads by it: players may have all of the film already. */
function downloadUnder(page: Page, scheme: SchemeName) {
  return page.evaluate(async (name) => {
    const { nuwa } = globalThis as unknown as { readonly nuwa: NuwaCore };
    const opened = new Promise<void>((resolve) => {
      nuwa.on("session", ({ kind }) => kind === "open" && resolve());
    });
    nuwa.change({ scheme: name });
    await opened;
    const { cameBy } = await nuwa.fetch("/film/manifest.mpd");
    const estimate = await new Promise<NetworkEstimate>((resolve) => nuwa.on("estimate", resolve));
    return { cameBy, targetDelaySeconds: estimate.targetDelaySeconds };
  }, scheme);
}

/** Whether the page has the file of the core's other schemes. */
function fetchedSchemes(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("nuwa-stream-schemes")),
  );
}

async function eachPage(
  project: string,
  program: BrowserProgram,
  arguments_: readonly string[],
  pages: readonly string[],
  play: (browser: Browser, url: string) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const film = join(project, "public", "film");
  // a built page has its public files beside it
  const served = join(project, arguments_.includes("preview") ? "dist" : "public");
  const addressFile = ["--address-file", join(served, "nuwa.json")];
  const command = ["-m", "transport", "serve", ...addressFile];
  await using _media = await MediaServer.start({ command, directory: film, host: "127.0.0.1", origin });
  const vite = await Child.start({
    name: "vite",
    command: process.execPath,
    args: [VITE, ...arguments_, String(port), "--strictPort"],
    cwd: project,
  });
  const browser = await launchBrowser(program);
  try {
    await untilServed(vite, origin);
    for (const name of pages) await play(browser, `${origin}/${name}`);
  } finally {
    await browser.close();
    await vite.stop();
  }
}

async function playPage(browser: Browser, url: string): Promise<void> {
  const { page, problems } = await openPage(browser, url);
  await expectToPlay(page, "webtransport");
  await page.evaluate(() => (globalThis as unknown as ExampleGlobals).nuwa.detach());
  await expectToPlay(page, "http");
  expect(problems.filter((problem) => !problem.includes("favicon"))).toEqual([]);
  await page.close();
}

/** Five seconds of film pass, whose segments go that way. */
async function expectToPlay(page: Page, path: "webtransport" | "http"): Promise<void> {
  await makeRoom(page, PLAYED_SECONDS);
  const placeSeconds = () => page.evaluate(() => document.querySelector("video")?.currentTime ?? 0);
  const from = await placeSeconds();
  await expect
    .poll(placeSeconds, { timeout: START_LIMIT_MS, interval: 250 })
    .toBeGreaterThan(from + PLAYED_SECONDS);
  const seen = await page.evaluate(() => {
    const { nuwa } = globalThis as unknown as ExampleGlobals;
    return { path: nuwa.path(), bitsPerSecond: nuwa.estimate()?.bandwidthBitsPerSecond ?? null };
  });
  expect(seen.path.kind, seen.path.reason ?? "").toBe(path);
  if (path === "webtransport") expect(seen.bitsPerSecond).toBeGreaterThan(1e6);
}

/** Waits until Vite says where it serves; it colours that line under a continuous integration's `CI=true`. */
async function untilServed(vite: Child, origin: string): Promise<void> {
  let line = "";
  while (!stripVTControlCharacters(line).includes(origin)) line = await vite.nextLine(START_LIMIT_MS);
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(0, "localhost", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}
