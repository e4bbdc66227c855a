/** What receiving costs a viewer's computer, for each megabit that reaches the page. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PageCost } from "../cell/page-cost.ts";
import type { FilmWorkload, MediaServerCommand } from "../cell/parameters.ts";
import type { Cell } from "../cell/run-cell.ts";
import type { BenchContext, CellChanges, Figure, Sample } from "./benchmark.ts";
import { medianFigure, ratios, valuesOf } from "./figures.ts";

export const SUBJECTS = ["download", "film"] as const;
export const READS = ["repeats", "preset", "beside"] as const;

const LINK = { trace: "20mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 };
const FILM: FilmWorkload = { kind: "film", source: { kind: "demo" }, watchSeconds: 20, seeks: [] };
const WORKLOADS = { download: { kind: "bulk", bytes: 30_000_000 }, film: FILM } as const;

const PARTS: readonly (readonly [string, (cost: PageCost) => number])[] = [
  ["worker and main thread", (cost) => cost.workerMsPerMegabit + cost.mainMsPerMegabit],
  ["worker", (cost) => cost.workerMsPerMegabit],
  ["main thread", (cost) => cost.mainMsPerMegabit],
  ["network process", (cost) => cost.networkMsPerMegabit],
  ["whole browser", (cost) => cost.browserMsPerMegabit],
];

export async function run(bench: BenchContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of SUBJECTS.filter((name) => bench.isChosen(name))) {
    const here: CellChanges = {
      ...{ name: `bench-page-cost-${subject}`, link: LINK, workload: WORKLOADS[subject] },
      ...{ scheme: "nuwa", preset: bench.presetOr("on-demand"), readsBrowserTimes: true },
    };
    if (bench.options.beside === null) {
      const { page } = await bench.interleave({ page: here });
      figures.push(...figuresOf(subject, page));
    } else {
      const there = {
        ...here,
        clone: bench.options.beside,
        mediaServer: await mediaServerOf(bench.options.beside),
      };
      const { page, other } = await bench.interleave({ page: here, other: there });
      figures.push(...figuresOf(subject, page), ...figuresOf(`${subject}, the other clone`, other));
      figures.push(...comparison(subject, page, other));
    }
  }
  return figures;
}

/** Its own arguments: those of this clone it may not know. */
async function mediaServerOf(clone: string): Promise<MediaServerCommand> {
  const file = pathToFileURL(join(clone, "e2e", "browser", "cell", "parameters.ts")).href;
  return ((await import(file)) as { OUR_MEDIA_SERVER: MediaServerCommand }).OUR_MEDIA_SERVER;
}

function figuresOf(title: string, cells: readonly Cell[]): Figure[] {
  return PARTS.map(([part, read]) => medianFigure(`${title}: ${part} per Mbit`, costs(cells, read), "ms"));
}

function comparison(title: string, cells: readonly Cell[], others: readonly Cell[]): Figure[] {
  return PARTS.map(([part, read]) =>
    medianFigure(
      `${title}: ${part}, this clone / the other`,
      ratios(costs(cells, read), costs(others, read)),
    ),
  );
}

function costs(cells: readonly Cell[], read: (cost: PageCost) => number): Sample[] {
  return valuesOf(cells, ({ pageCost }) => pageCost && read(pageCost));
}
