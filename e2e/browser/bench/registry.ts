import { readFileSync } from "node:fs";
import type { BenchContext, Figure } from "./benchmark.ts";
import type { BenchOption } from "./options.ts";

/** A line of laboratory/benchmarks.json: a program here, or a study of the laboratory (Python). */
export interface Benchmark {
  name: string;
  /** A file of this folder, without `.ts`, that has `run`; unset for a study. */
  program?: string;
  repeats: number;
  /** One line for the help. */
  summary: string;
}

const BENCHMARKS = JSON.parse(
  readFileSync(new URL("../../laboratory/benchmarks.json", import.meta.url), "utf8"),
) as readonly Benchmark[];

/** Those that take a browser, or the product as it is served. */
export const PROGRAMS = BENCHMARKS.filter(({ program }) => program !== undefined);

/** What a benchmark's file has. */
export interface Program {
  /** What can be chosen of it by name; unset where it is measured whole. */
  readonly SUBJECTS?: readonly string[];
  /** The options that it goes by; others are refused. Unset where it is the repeats alone. */
  readonly READS?: readonly BenchOption[];
  run(bench: BenchContext): Promise<Figure[]>;
}

export async function loadProgram({ program }: Benchmark): Promise<Program> {
  return (await import(/* @vite-ignore */ `./${program}.ts`)) as Program;
}

export function readsOf({ READS = ["repeats"] }: Program): readonly BenchOption[] {
  return READS;
}
