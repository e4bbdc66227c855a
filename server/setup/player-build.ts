import { existsSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../problem.mjs";
import { filesBelow, fingerprint } from "./fingerprint.mjs";
import { PLAYER, ROOT } from "./paths.ts";
import type { Step } from "./steps.ts";

const NOT_BUILT = /\.(?:test\.ts|md)$|^player.dist\b/;
const OF_CC = /(?<!\.test)\.(?:ts|json)$/;

/** The player as Vite builds it, from player/, the parts of cc/ that run in the browser, and README.md's figures. */
export const playerBuild: Step = {
  name: "player-build",
  title: "building the player",
  fingerprint: () =>
    fingerprint({
      root: ROOT,
      files: [
        ...["package-lock.json", "tsconfig.json", "README.md"].map((name) => join(ROOT, name)),
        ...filesBelow(join(ROOT, "player"), (path) => !NOT_BUILT.test(path.slice(ROOT.length + 1))),
        ...filesBelow(join(ROOT, "cc"), (path) => OF_CC.test(path)),
      ],
    }),
  isPresent: () => existsSync(join(PLAYER, "index.html")),
  run: async (run) => {
    requireBuildableFolder(ROOT);
    const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
    await run([process.execPath, vite, "build", "player"], "correct what the log names in player/");
  },
};

/** @throws Problem where Vite would take the rest of the path for a part of a URL */
export function requireBuildableFolder(clone: string): void {
  if (/[#?]/.test(clone))
    throw new Problem(
      `the page cannot be built in ${clone}, whose path has # or ?: move the clone to another folder`,
    );
}
