import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** In one piece: a worker made of a blob finds no file beside itself. */
const WHOLE = { codeSplitting: false } as const;

/**
 * The library as `npm pack` ships it: dash.js stays outside, the worker's code is inside. An ES module for bundlers, and a
 * script that leaves `NuwaStream` in the page. `--mode worker` builds the worker's code as a file of its own as well, for
 * pages that refuse workers of `blob:`.
 */
export default defineConfig(({ mode }) => ({
  root: here("."),
  publicDir: false,
  resolve: {
    alias: [{ find: /^\.\/create-worker\.ts$/, replacement: here("src/library/inline-worker.ts") }],
  },
  worker: { format: "es", rolldownOptions: { output: WHOLE } },
  build: {
    outDir: here("dist"),
    emptyOutDir: mode !== "worker",
    target: "es2022",
    license: mode === "worker" ? false : { fileName: "BUNDLED-LICENSES.md" },
    lib:
      mode === "worker"
        ? { entry: { "nuwa-stream-worker": here("src/session/worker/main.ts") }, formats: ["es"] }
        : {
            entry: { "nuwa-stream-player": here("src/library/index.ts") },
            formats: ["es", "iife"],
            name: "NuwaStream",
            fileName: (format, name) => (format === "iife" ? `${name}.iife.js` : `${name}.js`),
          },
    rolldownOptions: { external: ["dashjs"], output: WHOLE },
  },
}));
