import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import type { MediaPlayerClass } from "dashjs";
import { publint } from "publint";
import type { Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NuwaAttachment } from "../../../player/src/library/index.ts";
import { MediaServer } from "../cell/media-server.ts";
import { launchBrowser, openPage } from "../chromium/browser.ts";
import { Child } from "../process/child.ts";
import { requireChrome } from "../requirements.ts";
import { runCommand } from "../setup/run-command.ts";
import { forbidBlobWorkers, makeProject, OLDEST_TYPESCRIPT, run, SCRIPT_PAGE } from "./library-project.ts";

/** What the documentation's first example leaves in the page. */
interface ExampleGlobals {
  readonly player: MediaPlayerClass;
  readonly nuwa: NuwaAttachment;
}

/** How are-the-types-wrong names what `require` gets. */
const CJS_OF_NODE = "node16-cjs";
const START_LIMIT_MS = 30_000;
const VITE = join("node_modules", "vite", "bin", "vite.js");

let project: string;
let tarball: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "nuwa-library-"));
  tarball = await makeProject(project);
});

afterAll(async () => {
  await rm(project, { recursive: true, force: true });
});

test("the tarball holds the library, its page and licences, and nothing else", async () => {
  const installed = join(project, "node_modules", "nuwa-stream-player");
  const files = await readdir(installed, { recursive: true });
  expect(files.toSorted()).toEqual([
    "LICENSE",
    "README.md",
    "dist",
    join("dist", "BUNDLED-LICENSES.md"),
    join("dist", "nuwa-stream-player.d.ts"),
    join("dist", "nuwa-stream-player.iife.js"),
    join("dist", "nuwa-stream-player.js"),
    join("dist", "nuwa-stream-worker.js"),
    "package.json",
  ]);
  expect(await readFile(join(installed, "README.md"), "utf8")).toMatch(/^# nuwa-stream-player\n/);
});

test("publint and are-the-types-wrong have nothing to say of the tarball", async () => {
  const data = new Uint8Array(await readFile(tarball));
  const { messages } = await publint({ pack: { tarball: data.buffer } });
  expect(messages).toEqual([]);
  // the worker and the script are no modules that anybody imports for their types
  const excludeEntrypoints = ["./worker", "./script"];
  const checked = await checkPackage(createPackageFromTarballData(data), { excludeEntrypoints });
  const problems = checked.types === false ? ["no types"] : checked.problems;
  // an ES module alone, on purpose: `require` is for Node, and this runs in pages
  expect(problems.filter((problem) => JSON.stringify(problem).includes(CJS_OF_NODE) === false)).toEqual([]);
});

test.each(["typescript", OLDEST_TYPESCRIPT.name])(
  "the documentation's example passes %s's strict type check, declarations included",
  async (typescript) => {
    const tsc = join("node_modules", typescript, "bin", "tsc");
    const checked = await runCommand(process.execPath, [tsc], { cwd: project });
    expect([checked.code, checked.stdout]).toEqual([0, ""]);
  },
);

test("names that no registry has are refused by the types", async () => {
  const wrong = ['scheme: "cubik"', 'preset: "slow"', 'rule: "bolla"'];
  const calls = wrong.map((option) => `prepareNuwa({ server: null, ${option} });`);
  const script = join(project, "wrong.ts");
  await writeFile(script, ['import { prepareNuwa } from "nuwa-stream-player";', ...calls].join("\n"));
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  const args = [
    tsc,
    "--ignoreConfig",
    "--noEmit",
    "--module",
    "ESNext",
    "--moduleResolution",
    "bundler",
    script,
  ];
  const { stdout } = await runCommand(process.execPath, args, { cwd: project });
  for (const type of ["SchemeName", "PresetName", "RuleName"]) expect(stdout).toContain(type);
});

test("the example plays over WebTransport from Vite's development server, and on when the library is off", async (context) => {
  await playExample(await requireChrome(context), ["--port"]);
});

test("the documentation's page without a bundler plays, and on when the library is off", async (context) => {
  await playExample(await requireChrome(context), ["--port"], SCRIPT_PAGE);
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
async function playExample(chrome: string, arguments_: readonly string[], pageName = ""): Promise<void> {
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
    const { page, problems } = await openPage(browser, `${origin}/${pageName}`);
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
