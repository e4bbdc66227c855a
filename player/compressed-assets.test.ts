import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { compressedAssets } from "./compressed-assets.ts";

function folderWith(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "nuwa-assets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "index.html"), '<script type="module" src="./main.js"></script>');
  writeFileSync(join(folder, "main.js"), script);
  return folder;
}

const built = (root: string) =>
  build({ root, configFile: false, logLevel: "silent", plugins: [compressedAssets()] });

test("each script lies there as it is, as brotli and as gzip", async () => {
  const folder = folderWith("document.title = 'film'.repeat(3);");
  await built(folder);
  const assets = join(folder, "dist", "assets");
  const [script = ""] = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const content = readFileSync(join(assets, script));
  expect(brotliDecompressSync(readFileSync(join(assets, `${script}.br`)))).toEqual(content);
  expect(gunzipSync(readFileSync(join(assets, `${script}.gz`)))).toEqual(content);
});

test("a build that fails says why", async () => {
  await expect(built(folderWith('import "./nothere.js";'))).rejects.toThrow("nothere.js");
});
