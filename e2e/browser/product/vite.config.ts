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

/**
 * The product and its packages in a file or two of JavaScript: to find, read and look through hundreds is half of what a start
 * costs. What DuckDB has of the machine's own code stays outside.
 */
export default defineConfig({
  publicDir: false,
  plugins: [asFromTheSource],
  ssr: { noExternal: true, external: ["@duckdb/node-bindings"] },
  build: {
    ssr: fileURLToPath(new URL("serve.ts", import.meta.url)),
    target: "node20",
    outDir: PRODUCT,
    emptyOutDir: true,
    rolldownOptions: { output: { entryFileNames: "serve.mjs" } },
  },
});
