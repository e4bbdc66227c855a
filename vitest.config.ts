import { configDefaults, defineConfig } from "vitest/config";

/** Unit tests: siblings of the code. The browser tests have a configuration of their own, e2e/browser/vitest.config.ts. */
export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: [...configDefaults.exclude, "e2e/browser/**", ".build/**", ".venv/**"],
    environment: "node",
    // Most files take less time than the packages that they load: a worker loads these once, for all its files.
    isolate: false,
    setupFiles: ["server/setup/testing/leave-as-found.ts"],
    testTimeout: 30_000, // a busy machine takes several times what a quiet one does
  },
});
