import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { presentationOf } from "../cell/presentation.ts";
import { ROOT } from "../environment.ts";
import { lastWords, runCommand } from "../setup/run-command.ts";
import { TEST_FILM } from "./scenario.ts";

const DOCUMENTATION = join(ROOT, "player", "docs", "library.md");
const INSTALL_LIMIT_MS = 170_000;
const NPM = process.platform === "win32" ? "npm.cmd" : "npm";

/** A new user's project: the tarball, the three packages, the example's files and a film. */
export async function makeProject(folder: string): Promise<void> {
  await run([NPM, "pack", "./player", "--pack-destination", folder], ROOT);
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const { vite, dashjs } = dependencies;
  await writeJson(join(folder, "package.json"), {
    private: true,
    type: "module",
    dependencies: { dashjs, "nuwa-stream-player": `file:${tarball}` },
    devDependencies: { vite, typescript: devDependencies.typescript },
  });
  await writeJson(join(folder, "tsconfig.json"), {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2022", "DOM"],
      module: "ESNext",
      moduleResolution: "bundler",
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    },
    include: ["main.ts"],
  });
  await run([NPM, "install", "--prefer-offline", "--no-audit", "--no-fund"], folder);
  const documentation = await readFile(DOCUMENTATION, "utf8");
  await writeFile(join(folder, "index.html"), firstExample(documentation, "html"));
  await writeFile(join(folder, "main.ts"), firstExample(documentation, "ts"));
  await mkdir(join(folder, "public"));
  const { directory } = await presentationOf(TEST_FILM, () => undefined);
  await cp(directory, join(folder, "public", "film"), { recursive: true });
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

export async function run([command = "", ...args]: readonly string[], cwd: string): Promise<void> {
  const result = await runCommand(command, args, { cwd, timeoutMs: INSTALL_LIMIT_MS });
  if (result.code !== 0) throw new Error(`${command} ${args.join(" ")}: ${lastWords(result)}`);
}

async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(file, JSON.stringify(content, null, 2));
}
