/**
 * Gets ready what the browser tests need besides npm and Python packages: `node e2e/browser/setup/prepare.mjs`.
 *
 * Writes .build/e2e/environment.json. What cannot be had is said in one line, and is a failure if CI=true.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBrowser } from "./browser.mjs";
import { isContinuousIntegration } from "./continuous-integration.mjs";
import { ensureMahimahi } from "./mahimahi.mjs";

/**
 * @typedef {object} Environment
 * @property {string | null} chrome path
 * @property {string} [chromeVersion]
 * @property {string} [chromeReason] why there is none
 * @property {import("./shell-command.mjs").Mahimahi | null} mahimahi
 * @property {string} [mahimahiReason] why there is none
 */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const buildDirectory = join(root, ".build");

/** @param {string} line */
function onProgress(line) {
  process.stdout.write(`${line}\n`);
}

const browser = await ensureBrowser({ root, onProgress });
onProgress(browser.ok ? `browser: ${browser.version} (${browser.chrome})` : browser.reason);
const link = await ensureMahimahi({ buildDirectory, onProgress });
onProgress(link.ok ? `mahimahi: ${link.mahimahi.version} (${link.mahimahi.binaries})` : link.reason);

/** @type {Environment} */
const environment = {
  ...(browser.ok
    ? { chrome: browser.chrome, chromeVersion: browser.version }
    : { chrome: null, chromeReason: browser.reason }),
  ...(link.ok ? { mahimahi: link.mahimahi } : { mahimahi: null, mahimahiReason: link.reason }),
};
await mkdir(join(buildDirectory, "e2e"), { recursive: true });
await writeFile(join(buildDirectory, "e2e", "environment.json"), `${JSON.stringify(environment, null, 2)}\n`);
if (isContinuousIntegration(process.env) && !(browser.ok && link.ok)) process.exitCode = 1;
