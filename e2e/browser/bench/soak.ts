/** What server, transport and page hold while films come and go, and how fast it grows. */
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import type { FilmSource } from "../../../media/package-film.ts";
import { laboratoryPackages, pythonEnvironment } from "../../../server/setup/python-environments.ts";
import { runSteps } from "../../../server/setup/steps.ts";
import { openPage } from "../browsers/browser.ts";
import { findBrowser } from "../browsers/find-browser.ts";
import { Chance } from "../fault-rig/chance.ts";
import { holdingsOf } from "../process/process-memory.ts";
import type { Product } from "../product/product.ts";
import { type RunningProduct, withProduct } from "../product/with-page.ts";
import { databaseBytes } from "../soak/database-memory.ts";
import { type Growth, growthOf, type Series } from "../soak/growth.ts";
import { heapOf } from "../soak/page-heap.ts";
import { comeAndGo } from "../soak/viewers.ts";
import type { BenchContext, Figure, Reach } from "./benchmark.ts";
import { atMost } from "./figures.ts";

const FILM: FilmSource = { kind: "demo" };
const DEFAULT_MINUTES = 120;
const SAMPLE_EVERY_MS = 10_000;
const VIEWERS = 2;
/** Caches fill and pools grow at first: that is no leak. */
const WARM_UP_SHARE = 1 / 3;
const WARM_UP_MOST_MINUTES = 20;
const MEGABYTE = 1e6;
const MINUTES_PER_HOUR = 60;

interface Watched {
  readonly name: string;
  readonly unit: "MB" | "";
  readonly reach?: Reach;
}

const WATCHED: readonly Watched[] = [
  { name: "web server: memory after collecting garbage", unit: "MB", reach: atMost(1) },
  { name: "web server: of that, what JavaScript needs", unit: "MB" },
  { name: "web server: of that, the database of telemetry", unit: "MB" },
  { name: "web server: of that, neither V8's nor the database's", unit: "MB" },
  { name: "web server: descriptors", unit: "" },
  { name: "transport: memory", unit: "MB", reach: atMost(1) },
  { name: "transport: descriptors", unit: "" },
  { name: "page: JavaScript heap after collecting garbage", unit: "MB", reach: atMost(3) },
  { name: "page: nodes", unit: "" },
];

export const READS = ["seed", "minutes"] as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const { signal = new AbortController().signal, onProgress = () => undefined } = bench.options.control;
  await runSteps([pythonEnvironment, laboratoryPackages], { signal, output: process.stderr });
  const minutes = bench.options.minutes ?? DEFAULT_MINUTES;
  const program = await findBrowser();
  const series = await withProduct({ program, film: FILM }, (running) =>
    soak(running, { minutes, chance: new Chance(bench.options.seed), signal, onProgress }),
  );
  const growth = await growthOf(Object.fromEntries(series.map(({ name, ...values }) => [name, values])));
  return WATCHED.flatMap((watched, index) =>
    figuresOf(watched, series[index], growth[watched.name], minutes),
  );
}

interface SoakOptions {
  readonly minutes: number;
  readonly chance: Chance;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

type NamedSeries = Series & { readonly name: string };

async function soak(running: RunningProduct, options: SoakOptions): Promise<NamedSeries[]> {
  const { minutes, chance, signal, onProgress } = options;
  const { product, browser } = running;
  const { page } = await openPage(browser, product.address);
  await page.waitForFunction("globalThis.nuwaPlaybackProbe.firstFrameAtMs !== null");
  await playForEver(page);
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  const address = () => `https://127.0.0.1:${product.transport.port}`;
  const viewer = { address, origin: new URL(product.address).origin, chance, signal: ending };
  const viewers = Promise.all(Array.from({ length: VIEWERS }, () => comeAndGo(viewer)));
  try {
    return await Promise.race([sample(running, page, { minutes, signal, onProgress }), failureOf(viewers)]);
  } finally {
    leaving.abort();
    const counts = await viewers;
    const came = counts.reduce((sum, count) => sum + count.came, 0);
    const refused = counts.reduce((sum, count) => sum + count.refused, 0);
    onProgress(`${came} viewers came and went; ${refused} found the server busy`);
  }
}

/** The page's film begins anew when it ends; what the probe writes down is the test's own, and not kept. */
async function playForEver(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { nuwaPlaybackProbe } = globalThis as unknown as { nuwaPlaybackProbe: { samples: unknown[] } };
    const video = document.querySelector("video");
    video?.addEventListener("ended", () => {
      video.currentTime = 0;
      void video.play();
    });
    setInterval(() => nuwaPlaybackProbe.samples.splice(0), 1000);
  });
}

async function failureOf(viewers: Promise<unknown>): Promise<never> {
  await viewers;
  throw new Error("the viewers ended before the soak");
}

async function sample(
  { product }: RunningProduct,
  page: Page,
  { minutes, signal, onProgress }: Omit<SoakOptions, "chance">,
): Promise<NamedSeries[]> {
  const series = WATCHED.map(({ name }) => ({ name, times: [] as number[], values: [] as number[] }));
  const startedAtMs = performance.now();
  const hours = () => (performance.now() - startedAtMs) / 3_600_000;
  const warmUpHours = Math.min(WARM_UP_SHARE * minutes, WARM_UP_MOST_MINUTES) / MINUTES_PER_HOUR;
  while (hours() * MINUTES_PER_HOUR < minutes) {
    await pause(SAMPLE_EVERY_MS, undefined, { signal });
    const values = await valuesNow(product, page);
    onProgress(
      `${(hours() * MINUTES_PER_HOUR).toFixed(1)} min: ${values.map((value) => value.toFixed(1)).join(", ")}`,
    );
    if (hours() < warmUpHours) continue;
    for (const [index, value] of values.entries()) {
      series[index]?.times.push(hours());
      series[index]?.values.push(value);
    }
  }
  return series;
}

/** In the order of `WATCHED`. */
async function valuesNow(product: Product, page: Page): Promise<number[]> {
  const { reserved, heap } = await product.collectGarbage();
  const [server, transport] = [await holdingsOf(product.pid), await holdingsOf(product.transport.pid)];
  const database = await databaseBytes(product.address);
  const { usedBytes, nodes } = await heapOf(page);
  return [
    server.allocatedBytes / MEGABYTE,
    heap / MEGABYTE,
    database / MEGABYTE,
    (server.allocatedBytes - reserved - database) / MEGABYTE,
    server.descriptors,
    transport.allocatedBytes / MEGABYTE,
    transport.descriptors,
    usedBytes / MEGABYTE,
    nodes,
  ];
}

function figuresOf(
  { name, unit, reach = undefined }: Watched,
  series: NamedSeries | undefined,
  growth: Growth | undefined,
  minutes: number,
): Figure[] {
  if (series === undefined || growth === undefined) throw new Error(`the soak has no series "${name}"`);
  const values = [series.values[0] ?? null, series.values.at(-1) ?? null];
  const grown = { unit: `${unit}/h`, samples: [], reach: reach ?? null };
  return [
    { what: `${name}: growth over ${minutes} min, slope`, value: growth.slope, ...grown },
    { what: `${name}: growth from the first tenth to the last`, value: growth.between_ends, ...grown },
    {
      what: `${name}: after warm-up, and at the end`,
      value: values[1] ?? null,
      unit,
      samples: values,
      reach: null,
    },
  ];
}
