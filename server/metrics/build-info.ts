import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface BuildInfo {
  readonly version: string;
  /** Empty where the folder is no clone, as in an image. */
  readonly commit: string;
}

/** Of the code in a folder with a package.json. */
export function buildInfo(folder: string): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return { version, commit: commitOf(folder) };
}

function commitOf(folder: string): string {
  try {
    const said = execFileSync("git", ["-C", folder, "rev-parse", "--short=12", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return said.trim();
  } catch (error) {
    if (error instanceof Error && ("status" in error || "code" in error)) return ""; // no clone, or no git
    throw error;
  }
}
