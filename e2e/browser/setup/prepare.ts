/**
 * `npm run prepare-machine`: gets ready what the browser tests need besides npm and Python packages.
 *
 * Writes .build/e2e/environment.json. What cannot be had is said in one line, and is a failure if CI=true.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isContinuousIntegration } from "../../../server/setup/continuous-integration.ts";
import { BUILD_DIRECTORY, ENVIRONMENT_FILE, type Environment, ROOT } from "../environment.ts";
import { ensureBrowser } from "./browser.ts";
import { ensureMahimahi } from "./mahimahi.ts";

function onProgress(line: string): void {
  process.stdout.write(`${line}\n`);
}

const browser = await ensureBrowser({ root: ROOT, onProgress });
onProgress(browser.ok ? `browser: ${browser.version} (${browser.chrome})` : browser.reason);
const link = await ensureMahimahi({ buildDirectory: BUILD_DIRECTORY, onProgress });
onProgress(link.ok ? `mahimahi: ${link.mahimahi.version} (${link.mahimahi.binaries})` : link.reason);

const environment: Environment = {
  ...(browser.ok
    ? { chrome: browser.chrome, chromeVersion: browser.version }
    : { chrome: null, chromeReason: browser.reason }),
  ...(link.ok ? { mahimahi: link.mahimahi } : { mahimahi: null, mahimahiReason: link.reason }),
};
await mkdir(dirname(ENVIRONMENT_FILE), { recursive: true });
await writeFile(ENVIRONMENT_FILE, `${JSON.stringify(environment, null, 2)}\n`);
if (isContinuousIntegration(process.env) && !(browser.ok && link.ok)) process.exitCode = 1;
