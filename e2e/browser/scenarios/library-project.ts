import { copyFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { presentationOf } from "../cell/presentation.ts";
import { ROOT } from "../environment.ts";
import { lastWords, runCommand } from "../setup/run-command.ts";
import { TEST_FILM } from "./scenario.ts";

const DOCUMENTATION = join(ROOT, "player", "README.md");
/** The oldest that reads the declarations, and under which name it is installed beside the newest. */
export const OLDEST_TYPESCRIPT = { name: "typescript-5.0", version: "npm:typescript@5.0.4" };
/** Declarations alone: the component is compiled, and no page mounts it. */
const REACT_TYPES = { "@types/react": "19.3.3" };
/** The documentation's component. */
const COMPONENT = "Film.tsx";
/** Of the project. */
export const VITE = join("node_modules", "vite", "bin", "vite.js");
export const SCRIPT_PAGE = "script.html";
/** Titles of the documentation's examples, by the names that their pages get. */
export const PLAYER_EXAMPLES = { shaka: "Shaka Player", hls: "hls.js" } as const;
/** Bounds a hang only: of a command that installs, builds or checks. */
export const COMMAND_LIMIT_MS = 280_000;

/** A new user's project: the tarball, the packages, the examples' files and a film. Returns the tarball's path. */
export async function makeProject(folder: string): Promise<string> {
  await run(["npm", "pack", "./player", "--pack-destination", folder], ROOT);
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack left no tarball");
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const { vite, dashjs } = dependencies;
  await writeJson(join(folder, "package.json"), {
    private: true,
    type: "module",
    dependencies: {
      dashjs,
      "nuwa-stream-player": `file:${tarball}`,
      "hls.js": devDependencies["hls.js"],
      "shaka-player": devDependencies["shaka-player"],
    },
    devDependencies: {
      vite,
      typescript: devDependencies.typescript,
      ...REACT_TYPES,
      [OLDEST_TYPESCRIPT.name]: OLDEST_TYPESCRIPT.version,
    },
  });
  await writeJson(join(folder, "tsconfig.json"), {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2022", "DOM"],
      module: "ESNext",
      moduleResolution: "bundler",
      jsx: "react-jsx",
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    },
    include: ["main.ts", COMPONENT],
  });
  await run(["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"], folder);
  const documentation = await readFile(DOCUMENTATION, "utf8");
  await writeFile(join(folder, "index.html"), firstExample(documentation, "html"));
  await writeFile(join(folder, "main.ts"), firstExample(documentation, "ts"));
  await writeFile(join(folder, COMPONENT), firstExample(documentation, "tsx"));
  await mkdir(join(folder, "public"));
  const { directory } = await presentationOf(TEST_FILM, () => undefined);
  await cp(directory, join(folder, "public", "film"), { recursive: true });
  await addScriptPage(folder, documentation);
  await addPlayerPages(folder, documentation);
  return join(folder, tarball);
}

/** The documentation's page without a bundler, with the two scripts beside it. */
async function addScriptPage(folder: string, documentation: string): Promise<void> {
  const [, example] = /## Without a bundler\n.*?```html\n(.*?)```/s.exec(documentation) ?? [];
  if (example === undefined) throw new Error(`${DOCUMENTATION} has no example without a bundler`);
  const forTest = "<script>Object.assign(globalThis, { player, nuwa });</script>";
  await writeFile(join(folder, "public", SCRIPT_PAGE), `<!doctype html>\n${example}${forTest}\n`);
  for (const file of [
    "dashjs/dist/modern/umd/dash.all.min.js",
    "nuwa-stream-player/dist/nuwa-stream-player.iife.js",
  ])
    await copyFile(join(folder, "node_modules", file), join(folder, "public", basename(file)));
}

/** The documentation's examples for other players, each with a page of its own. */
async function addPlayerPages(folder: string, documentation: string): Promise<void> {
  for (const [name, title] of Object.entries(PLAYER_EXAMPLES)) {
    const [, code] =
      new RegExp(`\\*\\*${title}\\*\\*.*?\`\`\`ts\n(.*?)\`\`\``, "s").exec(documentation) ?? [];
    if (code === undefined) throw new Error(`${DOCUMENTATION} has no example for ${title}`);
    await writeFile(join(folder, `${name}.ts`), code);
    const page = firstExample(documentation, "html").replace("/main.ts", `/${name}.ts`);
    await writeFile(join(folder, `${name}.html`), page);
  }
}

function firstExample(documentation: string, language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(documentation) ?? [];
  if (code === undefined) throw new Error(`${DOCUMENTATION} has no example in ${language}`);
  return code;
}

/** Gives the example a strict policy, and the documentation's way to start the worker under it. */
export async function forbidBlobWorkers(project: string): Promise<void> {
  const [html, script] = [join(project, "index.html"), join(project, "main.ts")];
  const policy = "default-src 'self'; media-src blob:; connect-src 'self' https:; worker-src 'self'";
  const head = `<head><meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  await writeFile(html, (await readFile(html, "utf8")).replace("<head>", head));
  const documentation = await readFile(DOCUMENTATION, "utf8");
  const [imports] = /^import workerUrl .*$/m.exec(documentation) ?? [];
  const [call] = /^attachNuwa\(player, \{.*?^\}\);$/ms.exec(documentation) ?? [];
  if (imports === undefined || call === undefined)
    throw new Error(`${DOCUMENTATION} starts no worker from a file`);
  const example = firstExample(documentation, "ts").replace(/attachNuwa\(player, .*?\);/, () => call);
  await writeFile(script, `${imports}\n${example}`);
}

/** Builds these pages as Vite does without any other configuration. */
export async function buildPages(project: string, pages: readonly string[]): Promise<void> {
  const configuration = JSON.stringify({ build: { rolldownOptions: { input: pages } } });
  await writeFile(join(project, "vite.config.js"), `export default ${configuration};\n`);
  await run([process.execPath, VITE, "build"], project);
}

async function run([command = "", ...args]: readonly string[], cwd: string): Promise<void> {
  const result = await runCommand(command, args, { cwd, timeoutMs: COMMAND_LIMIT_MS });
  if (result.code !== 0) throw new Error(`${command} ${args.join(" ")}: ${lastWords(result)}`);
}

async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(file, JSON.stringify(content, null, 2));
}
