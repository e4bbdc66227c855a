import { fileURLToPath } from "node:url";
import { defineConfig, type LibraryOptions, type Plugin } from "vite";
import { blobWorker } from "./blob-worker.ts";
import { endOnProblem } from "./end-on-problem.ts";
import { ofNode } from "./library-for-pages.ts";
import { tooLarge } from "./library-size.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** In one piece: a worker made of a blob finds no file beside itself, nor does a script tag. */
const WHOLE = { codeSplitting: false } as const;

/** Hints for whoever bundles a file again: nobody does so with a worker, and the small files have none that counts. */
const WITHOUT_HINTS = { comments: { annotation: false } } as const;

/** One file a mode: the core and what ties other players to it, and the worker for pages that refuse those of `blob:`. */
const MORE: Readonly<Record<string, { readonly name: string; readonly source: string }>> = {
  core: { name: "nuwa-stream-core", source: "src/core/index.ts" },
  hls: { name: "nuwa-stream-hls", source: "src/players/hls.ts" },
  shaka: { name: "nuwa-stream-shaka", source: "src/players/shaka.ts" },
  worker: { name: "nuwa-stream-worker", source: "src/session/worker/main.ts" },
};

/** What the core fetches when a scheme is chosen that its own worker does not have. */
const ON_DEMAND = { chunkFileNames: "nuwa-stream-schemes.js" } as const;

/**
 * The library as `npm pack` ships it: players stay outside, the worker's code is inside. An ES module for bundlers, and a
 * script that leaves `NuwaStream` in the page. `--mode core`, `hls`, `shaka` and `worker` build the other files.
 */
export default defineConfig(({ mode }) => ({
  root: here("."),
  publicDir: false,
  plugins: [
    presetNumbers(),
    rulesWithoutMenus(),
    blobWorkers(),
    workerFirst(),
    sourceMaps(mode),
    endOnProblem("of-node", ofNode),
    endOnProblem("too-large", tooLarge),
  ],
  // Vite leaves it to bundlers, and the library plays in pages without one.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  resolve: {
    alias: [
      {
        find: /^(\.|\.\.\/session)\/create-worker\.ts$/,
        replacement: here(mode === "core" ? "src/core/nuwa-worker.ts" : "src/session/inline-worker.ts"),
      },
    ],
  },
  worker: { format: "es", rolldownOptions: { output: { ...WHOLE, ...WITHOUT_HINTS } } },
  build: {
    outDir: here("dist"),
    emptyOutDir: MORE[mode] === undefined,
    target: "es2022",
    license: MORE[mode] === undefined ? { fileName: "BUNDLED-LICENSES.md" } : false,
    lib: libraryOf(mode),
    rolldownOptions: {
      external: ["dashjs"],
      output:
        MORE[mode] === undefined
          ? WHOLE
          : { ...(mode === "core" ? ON_DEMAND : WHOLE), ...WITHOUT_HINTS, minify: true },
    },
  },
}));

function libraryOf(mode: string): LibraryOptions {
  const one = MORE[mode];
  return one === undefined
    ? {
        entry: { "nuwa-stream-player": here("src/library/index.ts") },
        formats: ["es", "iife"],
        name: "NuwaStream",
        fileName: (format, name) => (format === "iife" ? `${name}.iife.js` : `${name}.js`),
      }
    : { entry: { [one.name]: here(one.source) }, formats: ["es"] };
}

/**
 * Source maps of what bundlers read; a page serves the other files as they are. Not by `build.sourcemap`, which would have the
 * workers within the files name maps that nobody finds.
 */
function sourceMaps(mode: string): Plugin {
  return {
    name: "source-maps",
    outputOptions: (output) => ({ ...output, sourcemap: output.format === "es" && mode !== "worker" }),
  };
}

/** Leaves out of the presets what only menus show. */
function presetNumbers(): Plugin {
  return {
    name: "preset-numbers",
    enforce: "pre",
    transform: {
      filter: { id: /\/receiver\/presets\.json$/ },
      handler: (json) => {
        const presets = JSON.parse(json) as readonly Record<"title" | "summary", string>[];
        return { code: JSON.stringify(presets.map(({ title, summary, ...numbers }) => numbers)), map: null };
      },
    },
  };
}

const SUMMARIES = /\bsummary:\s*(?:"[^"]*"|`[^`]*`)(?:\s*\+\s*"[^"]*")*,/g;
const SUMMARIES_AND_TITLES = new RegExp(`${SUMMARIES.source}|\\btitle:\\s*"[^"]*",`, "g");

/** Leaves out of the rules what only menus show: summaries, and the titles of dash.js's own. */
function rulesWithoutMenus(): Plugin {
  return {
    name: "rules-without-menus",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/rules\/[\w-]+\.ts$/ },
      handler: (code, id) => ({
        code: code.replace(id.endsWith("/registry.ts") ? SUMMARIES_AND_TITLES : SUMMARIES, ""),
        map: null,
      }),
    },
  };
}

/**
 * Puts the worker's code before all else. Gzip looks back 32 kB: between two halves of the page's code it would hide one from
 * the other, which costs 0.4 kB.
 */
function workerFirst(): Plugin {
  return {
    name: "worker-first",
    transform: {
      filter: { id: /\/src\/(library|core)\/index\.ts$/ },
      handler: (code) => ({ code: `import "../session/create-worker.ts";${code}`, map: null }),
    },
  };
}

function blobWorkers(): Plugin {
  return {
    name: "blob-workers",
    enforce: "post",
    transform: {
      filter: { id: /\?worker&inline$/ },
      handler: (code) => ({ code: blobWorker(code), map: null }),
    },
  };
}
