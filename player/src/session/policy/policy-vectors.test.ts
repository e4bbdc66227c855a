import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as onnx from "onnxruntime-web/wasm";
import { expect, test } from "vitest";
import { readCard } from "./policy-card.ts";
import { PolicyRunner } from "./policy-runner.ts";
import { policyRuntime } from "./policy-runtime.ts";

/** What `python -m models.evaluation.vectors` wrote: of the samples, and of each shipped policy that has them. */
interface Vectors {
  readonly sha256: string;
  readonly episodes: readonly (readonly {
    readonly observation: readonly number[];
    readonly answer: readonly number[];
    readonly action: number;
  }[])[];
}

const MODELS = new URL("../../../../models/", import.meta.url);
const ENDING = ".vectors.json";
const TOLERANCE = 1e-4; // relative to the largest number of an answer, or 1 where that is smaller

const policies = ["testdata", "policies"].flatMap((folder) => {
  const place = new URL(`${folder}/`, MODELS);
  const files = existsSync(place) ? readdirSync(place).filter((file) => file.endsWith(ENDING)) : [];
  return files.map((file) => `${folder}/${file.slice(0, -ENDING.length)}`);
});

test.each(policies)("Python and WebAssembly agree on the recorded states of %s", async (policy) => {
  const read = (ending: string): Buffer => readFileSync(new URL(`${policy}${ending}`, MODELS));
  const vectors = JSON.parse(read(ENDING).toString()) as Vectors;
  const card = readCard(JSON.parse(read(".json").toString()));
  expect(vectors.sha256, `python -m models.evaluation.vectors is to be run anew for ${policy}`).toBe(
    card.sha256,
  );
  let worst = 0;
  const actions = new Set<number>();
  for (const episode of vectors.episodes) {
    const runner = await PolicyRunner.start(card, read(".onnx"), policyRuntime(onnx, null));
    for (const { observation, answer, action } of episode) {
      const found = (await runner.answer(observation)) ?? [];
      expect(found).toHaveLength(answer.length);
      const scale = Math.max(1, ...answer.map(Math.abs));
      worst = Math.max(worst, ...answer.map((value, index) => Math.abs(value - (found[index] ?? 0)) / scale));
      if (card.space.actions.kind === "choices") {
        expect(found[action], "of two that are equal either may be chosen").toBeGreaterThan(
          Math.max(...found) - 2 * TOLERANCE * scale,
        );
      }
      actions.add(action);
    }
  }
  expect(worst).toBeLessThan(TOLERANCE);
  expect(actions.size, "states that say something").toBeGreaterThan(1);
});
