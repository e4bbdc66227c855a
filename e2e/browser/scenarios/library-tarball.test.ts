import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireBrowser } from "../requirements.ts";
import { runCommand } from "../setup/run-command.ts";
import { playExample, playOtherPlayers } from "./library-play.ts";
import {
  buildPages,
  COMMAND_LIMIT_MS,
  forbidBlobWorkers,
  makeProject,
  OLDEST_TYPESCRIPT,
  PLAYER_EXAMPLES,
  SCRIPT_PAGE,
} from "./library-project.ts";

/** How are-the-types-wrong names what `require` gets. */
const CJS_OF_NODE = "node16-cjs";
const PLAYER_PAGES = Object.keys(PLAYER_EXAMPLES).map((name) => `${name}.html`);

let project: string;
let tarball: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "nuwa-library-"));
  tarball = await makeProject(project);
}, COMMAND_LIMIT_MS);

afterAll(async () => {
  await rm(project, { recursive: true, force: true });
});

test("the tarball holds the library, its page and licences, and nothing else", async () => {
  const installed = join(project, "node_modules", "nuwa-stream-player");
  const files = await readdir(installed, { recursive: true });
  expect(files.toSorted()).toEqual([
    "LICENSE",
    "README.md",
    "dist",
    join("dist", "BUNDLED-LICENSES.md"),
    join("dist", "nuwa-stream-core.d.ts"),
    join("dist", "nuwa-stream-core.js"),
    join("dist", "nuwa-stream-core.js.map"),
    join("dist", "nuwa-stream-hls.d.ts"),
    join("dist", "nuwa-stream-hls.js"),
    join("dist", "nuwa-stream-hls.js.map"),
    join("dist", "nuwa-stream-player.d.ts"),
    join("dist", "nuwa-stream-player.iife.js"),
    join("dist", "nuwa-stream-player.js"),
    join("dist", "nuwa-stream-player.js.map"),
    join("dist", "nuwa-stream-schemes.js"),
    join("dist", "nuwa-stream-schemes.js.map"),
    join("dist", "nuwa-stream-shaka.d.ts"),
    join("dist", "nuwa-stream-shaka.js"),
    join("dist", "nuwa-stream-shaka.js.map"),
    join("dist", "nuwa-stream-worker.js"),
    "package.json",
  ]);
  expect(await readFile(join(installed, "README.md"), "utf8")).toMatch(/^# nuwa-stream-player\n/);
});

test("source maps are there for the files that name them, with the sources inside", async () => {
  const dist = join(project, "node_modules", "nuwa-stream-player", "dist");
  const files = await readdir(dist);
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const named = [
      ...(await readFile(join(dist, file), "utf8")).matchAll(/\/\/# sourceMappingURL=([\w.-]+)/g),
    ];
    expect(named.map(([, map]) => map)).toEqual(files.filter((name) => name === `${file}.map`));
  }
  for (const file of files.filter((name) => name.endsWith(".map"))) {
    const { sources, sourcesContent } = JSON.parse(await readFile(join(dist, file), "utf8"));
    expect(sourcesContent).toHaveLength(sources.length);
    expect(sourcesContent).not.toContain(null);
  }
});

test("publint and are-the-types-wrong have nothing to say of the tarball", async () => {
  const data = new Uint8Array(await readFile(tarball));
  const { messages } = await publint({ pack: { tarball: data.buffer } });
  expect(messages).toEqual([]);
  // the worker and the script are no modules that anybody imports for their types
  const excludeEntrypoints = ["./worker", "./script"];
  const checked = await checkPackage(createPackageFromTarballData(data), { excludeEntrypoints });
  const problems = checked.types === false ? ["no types"] : checked.problems;
  // an ES module alone, on purpose: `require` is for Node, and this runs in pages
  expect(problems.filter((problem) => JSON.stringify(problem).includes(CJS_OF_NODE) === false)).toEqual([]);
});

test.each(["player", "core", "shaka", "hls"])(
  "the values that nuwa-stream-%s.d.ts declares are those that the module has",
  async (name) => {
    const module = join(project, "node_modules", "nuwa-stream-player", "dist", `nuwa-stream-${name}`);
    const declarations = await readFile(`${module}.d.ts`, "utf8");
    const declared = [...declarations.matchAll(/^export declare (?:class|function|const) (\w+)/gm)];
    const values = Object.keys(await import(pathToFileURL(`${module}.js`).href));
    expect(new Set(declared.map(([, value]) => value))).toEqual(new Set(values));
  },
);

test.each(["typescript", OLDEST_TYPESCRIPT.name])(
  "the documentation's example and its React component pass %s's strict type check, declarations included",
  async (typescript) => {
    const tsc = join("node_modules", typescript, "bin", "tsc");
    const checked = await runCommand(process.execPath, [tsc], { cwd: project, timeoutMs: COMMAND_LIMIT_MS });
    expect([checked.code, checked.stdout]).toEqual([0, ""]);
  },
);

test("names that no registry has are refused by the types", async () => {
  const wrong = ['scheme: "cubik"', 'preset: "slow"', 'rule: "bolla"'];
  const calls = wrong.map((option) => `prepareNuwa({ server: null, ${option} });`);
  const script = join(project, "wrong.ts");
  await writeFile(script, ['import { prepareNuwa } from "nuwa-stream-player";', ...calls].join("\n"));
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  const args = [
    tsc,
    "--ignoreConfig",
    "--noEmit",
    "--module",
    "ESNext",
    "--moduleResolution",
    "bundler",
    script,
  ];
  const { stdout } = await runCommand(process.execPath, args, { cwd: project, timeoutMs: COMMAND_LIMIT_MS });
  for (const type of ["SchemeName", "PresetName", "RuleName"]) expect(stdout).toContain(type);
});

test("the example and the page without a bundler play from Vite's development server, and on when the library is off", async (context) => {
  await playExample(project, await requireBrowser(context), ["--port"], ["", SCRIPT_PAGE]);
});

test("the examples for Shaka Player and hls.js pass a strict type check", async () => {
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  const files = Object.keys(PLAYER_EXAMPLES).map((name) => `${name}.ts`);
  const options = ["--strict", "--noEmit", "--skipLibCheck", "--target", "ES2022"]; // both players' own have errors
  const modules = ["--ignoreConfig", "--module", "ESNext", "--moduleResolution", "bundler"];
  const checked = await runCommand(process.execPath, [tsc, ...modules, ...options, ...files], {
    cwd: project,
    timeoutMs: COMMAND_LIMIT_MS,
  });
  expect([checked.code, checked.stdout]).toEqual([0, ""]);
});

test("the examples for Shaka Player and hls.js play over WebTransport, by the receiver's estimate, and by another scheme's", async (context) => {
  await playOtherPlayers(project, await requireBrowser(context), ["--port"], PLAYER_PAGES);
});

test("built, the example plays over WebTransport and on when the library is off, and the core finds its other schemes", async (context) => {
  const program = await requireBrowser(context);
  await buildPages(project, ["index.html", ...PLAYER_PAGES]);
  await playExample(project, program, ["preview", "--port"]);
  await playOtherPlayers(project, program, ["preview", "--port"], PLAYER_PAGES.slice(-1));
});

test("a page whose policy refuses workers of blob: plays with the worker's own file", async (context) => {
  const program = await requireBrowser(context);
  await forbidBlobWorkers(project);
  await buildPages(project, ["index.html"]);
  await playExample(project, program, ["preview", "--port"]);
});
