import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressedAssets } from "./compressed-assets.ts";
import { headlineFigures } from "./headlines/vite-plugin.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  base: "/",
  plugins: [headlineFigures(here("../README.md")), compressedAssets()],
  // Without what no page of ours does: rights management and dash.js's own metrics reports, 19 kB of its 238.
  resolve: {
    alias: { dashjs: here("../node_modules/dashjs/dist/modern/esm/dash.mediaplayer.min.js") },
  },
  worker: { format: "es" },
  build: {
    outDir: here("../.build/player"),
    emptyOutDir: true,
    target: "es2022",
    // dash.js alone is larger than the default that warns.
    chunkSizeWarningLimit: 1200,
    rollupOptions: {
      input: ["index", "compare", "sessions", "bulk", "refused"].map((page) => here(`${page}.html`)),
    },
  },
});
