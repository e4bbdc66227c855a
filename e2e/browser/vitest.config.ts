import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first.ts";

/** The tests of this folder: its own parts, and the scenarios, which take a browser (and mahimahi) one at a time. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["e2e/**/*.test.ts"],
    globalSetup: ["e2e/browser/scenarios/global-setup.ts"],
    fileParallelism: false,
    isolate: false, // a worker loads puppeteer and the like once, for all its files
    setupFiles: ["server/setup/testing/leave-as-found.ts"],
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 180_000,
    retry: 1, // of real time on shared machines; `npm test` names at its end what needed it
  },
});
