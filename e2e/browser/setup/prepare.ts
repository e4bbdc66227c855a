/**
 * `npm run prepare-machine`: gets ready what the browser tests need besides npm and Python packages. The server's bundle is
 * made here, since tests that made it would wait while packages are installed: one set-up goes on at a time. It comes last, since
 * `npm test` runs this beside its own set-up.
 *
 * Writes .build/e2e/environment.json. What cannot be had is said in one line, and is a failure if CI=true.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isContinuousIntegration } from "../../../server/setup/continuous-integration.ts";
import { runSteps } from "../../../server/setup/steps.ts";
import { BUILD_DIRECTORY, ENVIRONMENT_FILE, type Environment, ROOT } from "../environment.ts";
import { productBuild } from "../product/product-build.ts";
import { ensureBrowser } from "./browser.ts";
import { ensureMahimahi } from "./mahimahi.ts";

function onProgress(line: string): void {
  process.stdout.write(`${line}\n`);
}

const USAGE = `Gets ready what the browser tests need: the server in one file, Chromium, Firefox, mahimahi and recorded links.
Browsers are looked for, else fetched. As root on Debian or Ubuntu packages are installed; elsewhere it says what is missing.

  npm run prepare-machine -- [--help]
`;

async function main(): Promise<void> {
  const browsers = {
    chromium: await ensureBrowser("chromium", { root: ROOT, onProgress }),
    firefox: await ensureBrowser("firefox", { root: ROOT, onProgress }),
  };
  for (const found of Object.values(browsers))
    onProgress(found.path === null ? found.reason : `browser: ${found.version} (${found.path})`);
  const link = await ensureMahimahi({ buildDirectory: BUILD_DIRECTORY, onProgress });
  onProgress(link.ok ? `mahimahi: ${link.mahimahi.version} (${link.mahimahi.binaries})` : link.reason);

  const environment: Environment = {
    browsers,
    ...(link.ok ? { mahimahi: link.mahimahi } : { mahimahi: null, mahimahiReason: link.reason }),
  };
  await mkdir(dirname(ENVIRONMENT_FILE), { recursive: true });
  await writeFile(ENVIRONMENT_FILE, `${JSON.stringify(environment, null, 2)}\n`);
  await runSteps([productBuild], { signal: new AbortController().signal, output: process.stdout });
  const isComplete = link.ok && Object.values(browsers).every(({ path }) => path !== null);
  if (isContinuousIntegration(process.env) && !isComplete) process.exitCode = 1;
}

const [word] = process.argv.slice(2);
if (word === "--help" || word === "-h") process.stdout.write(USAGE);
else if (word !== undefined) {
  process.stderr.write(`prepare-machine: ${word} is no option; see npm run prepare-machine -- --help\n`);
  process.exitCode = 2;
} else await main();
