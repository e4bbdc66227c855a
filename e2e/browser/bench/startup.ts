/** From asking for the page to the first frame, with a browser that has never seen it. */
import type { FilmWorkload } from "../cell/parameters.ts";
import type { BenchContext, Figure } from "./benchmark.ts";
import { atMost, medianFigure, valuesOf } from "./figures.ts";

const FILM: FilmWorkload = { kind: "film", source: { kind: "demo" }, watchSeconds: 1, seeks: [] };

export async function run(bench: BenchContext): Promise<Figure[]> {
  const { nuwa } = await bench.interleave({ nuwa: { name: "bench-startup", link: null, workload: FILM } });
  return [
    medianFigure(
      "page to first frame",
      valuesOf(nuwa, ({ playback }) => playback?.startupSeconds),
      "s",
      atMost(1.5),
    ),
  ];
}
