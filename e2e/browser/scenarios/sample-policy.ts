import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { ROOT } from "../environment.ts";

const SAMPLES = join(ROOT, "models", "testdata");
const REPLACED = "nuwa-rl";

export type SampleKind = "recurrent" | "feed-forward" | "not-a-number" | "truncated" | "missing";

/** For a test: a folder of policies in which this one stands in Nuwa-RL's place. */
export async function policyFolder({ onTestFinished }: TestContext, kind: SampleKind): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-policies-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (kind === "missing") return folder;
  const sample = kind === "truncated" ? "recurrent" : kind;
  const card = JSON.parse(await readFile(join(SAMPLES, `${sample}.json`), "utf8"));
  await writeFile(join(folder, `${REPLACED}.json`), JSON.stringify({ ...card, name: REPLACED }));
  await copyFile(join(SAMPLES, `${sample}.onnx`), join(folder, `${REPLACED}.onnx`));
  if (kind === "truncated") await writeFile(join(folder, `${REPLACED}.onnx`), "half of it");
  return folder;
}
