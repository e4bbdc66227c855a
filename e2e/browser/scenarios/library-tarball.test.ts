import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { MediaPlayerClass } from "dashjs";
import type { Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NuwaAttachment } from "../../../player/src/library/index.ts";
import { MediaServer } from "../cell/media-server.ts";
import { launchBrowser, openPage } from "../chromium/browser.ts";
import { Child } from "../process/child.ts";
import { requireChrome } from "../requirements.ts";
import { runCommand } from "../setup/run-command.ts";
import { forbidBlobWorkers, makeProject, run } from "./library-project.ts";

/** What the documentation's first example leaves in the page. */
interface ExampleGlobals {
  readonly player: MediaPlayerClass;
  readonly nuwa: NuwaAttachment;
}

const START_LIMIT_MS = 30_000;
const VITE = join("node_modules", "vite", "bin", "vite.js");

let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "nuwa-library-"));
  await makeProject(project);
});

afterAll(async () => {
  await rm(project, { recursive: true, force: true });
});

test("the documentation's example passes a strict type check, declarations included", async () => {
  const checked = await runCommand(process.execPath, [join("node_modules", "typescript", "bin", "tsc")], {
    cwd: project,
  });
  expect([checked.code, checked.stdout]).toEqual([0, ""]);
});

test("the example plays over WebTransport from Vite's development server, and on when the library is off", async (context) => {
  await playExample(await requireChrome(context), ["--port"]);
});

test("the built example plays over WebTransport, and on when the library is off", async (context) => {
  const chrome = await requireChrome(context);
  await run([process.execPath, VITE, "build"], project);
  await playExample(chrome, ["preview", "--port"]);
});

test("a page whose policy refuses workers of blob: plays with the worker's own file", async (context) => {
  const chrome = await requireChrome(context);
  await forbidBlobWorkers(project);
  await run([process.execPath, VITE, "build"], project);
  await playExample(chrome, ["preview", "--port"]);
});

/** Plays the example from Vite as these arguments start it, and takes the library off. */
async function playExample(chrome: string, arguments_: readonly string[]): Promise<void> {
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
  const browser = await launchBrowser(chrome);
  try {
    await untilServed(vite, origin);
    const { page, problems } = await openPage(browser, origin);
    await expectToPlay(page, "webtransport");
    await page.evaluate(() => (globalThis as unknown as ExampleGlobals).nuwa.detach());
    await expectToPlay(page, "http");
    expect(problems.filter((problem) => !problem.includes("favicon"))).toEqual([]);
  } finally {
    await browser.close();
    await vite.stop();
  }
}

/** Five seconds of film pass, whose segments go that way. */
async function expectToPlay(page: Page, path: "webtransport" | "http"): Promise<void> {
  const placeSeconds = () => page.evaluate(() => document.querySelector("video")?.currentTime ?? 0);
  const from = await placeSeconds();
  await expect.poll(placeSeconds, { timeout: START_LIMIT_MS, interval: 250 }).toBeGreaterThan(from + 5);
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
