import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { PRODUCT } from "./product-build.ts";

/** What a module asks of its own place is answered by where its source lies: files are found beside it. */
const asFromTheSource: Plugin = {
  name: "as-from-the-source",
  enforce: "pre",
  transform: (code, path) =>
    code
      .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(path))),
};

/** The product as one file of JavaScript; packages stay outside. */
export default defineConfig({
  publicDir: false,
  plugins: [asFromTheSource],
  build: {
    ssr: fileURLToPath(new URL("serve.ts", import.meta.url)),
    target: "node20",
    outDir: PRODUCT,
    emptyOutDir: true,
    rolldownOptions: { output: { entryFileNames: "serve.mjs" } },
  },
});
