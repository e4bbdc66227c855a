import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import type { Presentation } from "../../../media/package-film.ts";
import { makeCertificate } from "../../../server/testdata/make-certificate.ts";
import { launchBrowser, openPage } from "../browsers/browser.ts";
import type { BrowserProgram } from "../browsers/program.ts";
import { trusting } from "../browsers/trust.ts";
import type { Child } from "../process/child.ts";
import { Product } from "../product/product.ts";
import { BUILT_PLAYER } from "../product/with-page.ts";
import { runCommand } from "../setup/run-command.ts";
import { type FrontServer, PUBLIC_NAME, startFrontServer } from "./front-server.ts";
import { SERVER_ADDRESS, TwoMachines } from "./two-machines.ts";

/** How the page is opened from another machine: over HTTPS by its address, or behind a proxy by its name. */
export type Way = "https" | FrontServer;
export const WAYS: readonly Way[] = ["https", "nginx", "caddy"];

export interface Visit {
  /** How segments travel, as the page says. */
  readonly path: string;
  /** From asking for the page to the first frame. */
  readonly firstFrameSeconds: number;
  readonly problems: readonly string[];
}

/** @returns why this machine cannot play two, in one line; null where it can */
export async function whyNotVisited(way: Way): Promise<string | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "network namespaces take root, on Linux";
  for (const program of ["ip", ...(way === "https" ? [] : [way])])
    if ((await runCommand("which", [program])).code !== 0) return `${program} is not installed`;
  return null;
}

/** Serves on one machine as the documentation says, and watches on the other. */
export async function visit(way: Way, program: BrowserProgram, presentation: Presentation): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-second-"));
  await using machines = await TwoMachines.create();
  let proxy: Child | null = null;
  try {
    const name = way === "https" ? SERVER_ADDRESS : PUBLIC_NAME;
    const files = makeCertificate(folder, name);
    const order = {
      args:
        way === "https"
          ? ["--https", "--host", SERVER_ADDRESS, "--port", "8080"]
          : ["--public-url", `https://${PUBLIC_NAME}`, "--port", "8080"],
      presentation,
      playerDirectory: BUILT_PLAYER,
      ...(way === "https" && { certificate: files }),
    };
    await using product = await Product.start(order, undefined, {}, machines.on("server"));
    if (way !== "https") proxy = await startFrontServer(way, { machines, folder, files });
    const elsewhere = await browserOn(machines, program, folder);
    const names = `--host-resolver-rules=MAP ${PUBLIC_NAME} ${SERVER_ADDRESS}`;
    const browser = await launchBrowser({ ...program, path: elsewhere }, [names, trusting(files)], {
      pipe: true,
    });
    try {
      return await watch(browser, product.address);
    } finally {
      await browser.close();
    }
  } finally {
    await proxy?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** puppeteer starts one program: it is to be on the other machine, with a home of its own. */
async function browserOn(machines: TwoMachines, program: BrowserProgram, folder: string): Promise<string> {
  const script = join(folder, "browser");
  await writeFile(script, `#!/bin/sh\nexec ${machines.on("client").join(" ")} "${program.path}" "$@"\n`);
  await chmod(script, 0o755);
  return script;
}

async function watch(browser: Browser, address: string): Promise<Visit> {
  const { page, problems } = await openPage(browser, address);
  await page.waitForFunction("globalThis.nuwaPlaybackProbe?.firstFrameAtMs > 0");
  await page.waitForFunction("document.querySelector('video').currentTime > 2");
  const seen = await page.evaluate(() => {
    const { nuwaStream, nuwaPlaybackProbe } = globalThis as unknown as PageGlobals;
    const { firstFrameAtMs, navigatedAtMs } = nuwaPlaybackProbe;
    const { path } = nuwaStream.snapshot();
    return { path, firstFrameSeconds: (firstFrameAtMs - navigatedAtMs) / 1000 };
  });
  return { path: seen.path.reason ?? seen.path.kind, firstFrameSeconds: seen.firstFrameSeconds, problems };
}

interface PageGlobals {
  readonly nuwaStream: { snapshot(): { path: { kind: string; reason: string | null } } };
  readonly nuwaPlaybackProbe: { readonly firstFrameAtMs: number; readonly navigatedAtMs: number };
}
