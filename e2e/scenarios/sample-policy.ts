import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ROOT } from "../environment.ts";

const SAMPLES = join(ROOT, "models", "testdata");

export type SampleKind = "recurrent" | "feed-forward" | "not-a-number" | "truncated" | "missing";

/** For a test: a folder of policies in which this one stands in Nuwa-RL's place. */
export async function policyFolder(kind: SampleKind): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-policies-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (kind === "missing") return folder;
  const sample = kind === "truncated" ? "recurrent" : kind;
  await copyFile(join(SAMPLES, `${sample}.json`), join(folder, "nuwa-rl.json"));
  await copyFile(join(SAMPLES, `${sample}.onnx`), join(folder, "nuwa-rl.onnx"));
  if (kind === "truncated") await writeFile(join(folder, "nuwa-rl.onnx"), "half of it");
  return folder;
}
