import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow, fingerprint } from "../../../server/setup/fingerprint.mjs";
import type { Step } from "../../../server/setup/steps.ts";
import { BUILD_DIRECTORY, ROOT } from "../environment.ts";

/** Folder of the product as a few files. */
export const PRODUCT = join(BUILD_DIRECTORY, "e2e", "product");
export const PRODUCT_PROGRAM = join(PRODUCT, "serve.mjs");

const SOURCE = /(?<!\.test)\.(?:ts|mjs|json)$/;
const FOLDERS = ["server", "player", "cc", "media", "e2e/browser/product"];

/** The product as a few files of JavaScript: tests start it some fifty times, and compiling it took each half of its start. */
export const productBuild: Step = {
  name: "product-build",
  title: "bundling the server",
  fingerprint: () =>
    fingerprint({
      root: ROOT,
      files: [
        join(ROOT, "package-lock.json"),
        ...FOLDERS.flatMap((folder) => filesBelow(join(ROOT, folder), (path) => SOURCE.test(path))),
      ],
    }),
  isPresent: () => existsSync(PRODUCT_PROGRAM),
  folder: PRODUCT,
  run: (run) => {
    const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
    const config = fileURLToPath(new URL("vite.config.ts", import.meta.url));
    return run([process.execPath, vite, "build", "--config", config], "correct what the log names");
  },
};
