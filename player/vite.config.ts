import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The page's own code asks for dash.js at once; its HTML can ask even earlier. */
function askForDashjsEarly(): Plugin {
  return {
    name: "ask-for-dashjs-early",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle, filename }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /^assets\/dash\.all\..*\.js$/.test(file) && !filename.endsWith("bulk.html"))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
            injectTo: "head",
          })),
    },
  };
}

export default defineConfig({
  root: here("."),
  base: "/",
  worker: { format: "es" },
  plugins: [askForDashjsEarly()],
  build: {
    outDir: here("../.build/player"),
    emptyOutDir: true,
    target: "es2022",
    // dash.js alone is larger than the default that warns.
    chunkSizeWarningLimit: 1200,
    rollupOptions: { input: [here("index.html"), here("compare.html"), here("bulk.html")] },
  },
});
