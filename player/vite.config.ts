import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Fetches dash.js from the start on, behind what is painted first; it is run after that (src/page/painted.ts). */
const fetchDashjsEarly: Plugin = {
  name: "fetch-dashjs-early",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle, path }) => {
      const dashjs = Object.keys(bundle ?? {}).find((name) => /\/dash\.[^/]*\.js$/.test(name));
      if (dashjs === undefined || path === "/bulk.html") {
        return [];
      }
      const attrs = { rel: "modulepreload", fetchpriority: "low", crossorigin: true, href: `/${dashjs}` };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  },
};

export default defineConfig({
  root: here("."),
  base: "/",
  worker: { format: "es" },
  plugins: [fetchDashjsEarly],
  build: {
    outDir: here("../.build/player"),
    emptyOutDir: true,
    target: "es2022",
    // dash.js alone is larger than the default that warns.
    chunkSizeWarningLimit: 1200,
    rollupOptions: { input: [here("index.html"), here("compare.html"), here("bulk.html")] },
  },
});
