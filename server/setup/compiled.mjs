import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./clone.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { cannotBeWritten } from "./lock.mjs";

/**
 * Beside the packages: a server that was broken into can write where films lie, and must not leave code there for its next start.
 */
export const PROGRAMS = join(ROOT, "node_modules", ".cache", "nuwa-stream");

/** Beside the sources, what decides what becomes of them. */
const ALWAYS = ["package-lock.json", "tsconfig.json", "server/setup/compiled.mjs"];

const STAYS_MS = 3_600_000;

/**
 * @typedef {{inputs: readonly string[], outputs: readonly [string, ...string[]], fingerprint: string, made: string}} Compilation of which
 *   files, and to which; the program is the first. A hash of either
 */

/**
 * The TypeScript of a program as a few files of JavaScript, compiled again when a source changes. To compile each file at each
 * start takes two seconds.
 *
 * @param {{root?: string, entry?: string, folder?: string}} [where]
 * @returns {Promise<string | null>} its URL; null where it cannot be kept, or some source of it cannot be compiled
 */
export async function compiledProgram({
  root = ROOT,
  entry = "server/setup/main.ts",
  folder = PROGRAMS,
} = {}) {
  const list = join(folder, `${basename(entry, ".ts")}.json`);
  const known = freshCompilation({ root, folder, list });
  try {
    const { outputs } = known ?? (await compile({ root, entry, folder, list }));
    return pathToFileURL(join(folder, outputs[0])).href;
  } catch (error) {
    if (cannotBeWritten(error) || isOfSources(error)) return null;
    throw error;
  }
}

/**
 * Of esbuild, which names all sources that it cannot read as TypeScript. A command may do without them.
 *
 * @param {unknown} error
 */
function isOfSources(error) {
  return error instanceof Error && "errors" in error;
}

/**
 * A list or a file that is damaged, as by a loss of power, is as good as none.
 *
 * @param {{root: string, folder: string, list: string}} where
 * @returns {Compilation | null} null where none is of the sources as they are
 */
function freshCompilation({ root, folder, list }) {
  try {
    /** @type {Compilation} */
    const compilation = JSON.parse(readFileSync(list, "utf8"));
    const { inputs, outputs } = compilation;
    const isFresh =
      compilation.fingerprint === fingerprintOf(inputs, root) && compilation.made === hashOf(outputs, folder);
    return isFresh ? compilation : null;
  } catch (error) {
    if (error instanceof SyntaxError || isUnreadable(error)) return null;
    throw error;
  }
}

/** @param {unknown} error */
function isUnreadable(error) {
  return ["ENOENT", "ENOTDIR", "EACCES"].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? "");
}

/**
 * @param {readonly string[]} inputs
 * @param {string} root named in the program
 */
function fingerprintOf(inputs, root) {
  return fingerprint({ root, files: inputs.map((name) => join(root, name)), words: [root] });
}

/**
 * @param {readonly string[]} outputs
 * @param {string} folder
 */
function hashOf(outputs, folder) {
  return fingerprint({ root: folder, files: outputs.map((name) => join(folder, name)) });
}

/**
 * Files are named by their content and the list is written last: of two that do it at a time neither harms the other.
 *
 * @param {{root: string, entry: string, folder: string, list: string}} what
 * @returns {Promise<Compilation>}
 */
async function compile({ root, entry, folder, list }) {
  mkdirSync(folder, { recursive: true });
  const startedAtMs = Date.now();
  const { sources, program, files } = await bundle({ root, entry, folder });
  const inputs = [...sources, ...ALWAYS.filter((name) => existsSync(join(root, name)))];
  for (const { path, contents } of files) write(path, contents);
  const names = files.map(({ path }) => basename(path));
  const others = names.filter((name) => name !== program);
  /** @type {Compilation} */
  const compilation = {
    inputs,
    outputs: [program, ...others],
    fingerprint: fingerprintOf(inputs, root),
    made: hashOf(names, folder),
  };
  const isSettled = inputs.every((name) => statSync(join(root, name)).mtimeMs < startedAtMs);
  if (isSettled) write(list, JSON.stringify(compilation));
  removeOlder(folder, [...names, basename(list)]);
  return compilation;
}

/**
 * Not what may be of a command that began before its sources changed, and loads the rest soon. Folders are other programs'.
 *
 * @param {string} folder
 * @param {readonly string[]} kept
 */
function removeOlder(folder, kept) {
  const others = readdirSync(folder).filter((name) => !kept.includes(name));
  for (const path of others.map((name) => join(folder, name))) {
    const file = statSync(path, { throwIfNoEntry: false }); // another process may remove it, too
    if (file?.isFile() && Date.now() - file.mtimeMs > STAYS_MS) rmSync(path, { force: true });
  }
}

/**
 * Ends esbuild's own process, which would stay as long as this one.
 *
 * @param {{root: string, entry: string, folder: string}} what
 */
async function bundle({ root, entry, folder }) {
  const esbuild = await import("esbuild");
  const building = esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true, // what a command does without is not loaded
    packages: "external",
    plugins: [scriptsStay],
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "linked",
    sourcesContent: false,
    outdir: folder,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const { metafile, outputFiles } = await building.finally(() => esbuild.stop());
  const program = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)?.[0];
  if (program === undefined) throw new Error(`esbuild made no program of ${entry}`);
  return { sources: Object.keys(metafile.inputs), program: basename(program), files: outputFiles };
}

/**
 * Our own JavaScript is loaded from where it lies: it has run already, and some of it asks where that is.
 *
 * @type {import("esbuild").Plugin}
 */
const scriptsStay = {
  name: "scripts-stay",
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.mjs$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(resolve(resolveDir, path)).href,
      external: true,
    }));
  },
};

/**
 * In one move, so that nothing half-written is ever read.
 *
 * @param {string} path
 * @param {string | Uint8Array} content
 */
function write(path, content) {
  writeFileSync(`${path}.${process.pid}`, content);
  renameSync(`${path}.${process.pid}`, path);
}
