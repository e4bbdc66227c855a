import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, fingerprint } from "../../server/setup/fingerprint.ts";
import { ROOT } from "../browser/environment.ts";
import type { Place } from "./plan.ts";

/**
 * One hash over everything that makes a run in this place what it is: a run made with other sources is made again, one after a
 * change of a page or a test is not.
 */
export function sourcesOf(place: Place, words: readonly string[]): string {
  const folders = place === "simulation" ? ["cc", "models"] : ["cc", "models", "transport"];
  const present = folders.map((folder) => join(ROOT, folder)).filter((folder) => existsSync(folder));
  const files = present.flatMap((folder) => filesBelow(folder, isRun));
  return fingerprint({ root: ROOT, files: [...files, join(ROOT, "requirements.lock")], words });
}

/** Programs, and the policies and presets that they read. */
function isRun(path: string): boolean {
  return /\.(?:py|onnx|json)$/.test(path) && !/[\\/](?:tests|testdata|__pycache__)[\\/]/.test(path);
}
