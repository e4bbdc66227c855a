import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, fingerprint } from "./fingerprint.mjs";

/**
 * The player as Vite builds it, from player/ and the parts of cc/ that run in the browser.
 *
 * @param {string} root
 * @param {string} playerFolder where the build goes
 * @returns {import("./steps.mjs").Step}
 */
export function playerBuild(root, playerFolder) {
  return {
    name: "player-build",
    title: "building the player",
    fingerprint: () =>
      fingerprint({
        root,
        files: [
          join(root, "package-lock.json"),
          join(root, "tsconfig.json"),
          ...filesBelow(
            join(root, "player"),
            (path) => !/\.(?:test\.ts|md)$/.test(path) && !path.startsWith(join(root, "player", "dist")),
          ),
          ...filesBelow(
            join(root, "cc"),
            (path) => /\.(?:ts|json)$/.test(path) && !path.endsWith(".test.ts"),
          ),
        ],
      }),
    isPresent: () => existsSync(join(playerFolder, "index.html")),
    run: (run) =>
      run(
        [process.execPath, join(root, "node_modules", "vite", "bin", "vite.js"), "build", "player"],
        "mend what the log names in player/",
      ),
  };
}
