/** Lighthouse on the page while its film begins: as a slow phone (its default) and as a desktop. */
import type { Browser } from "puppeteer";
import type { FilmSource } from "../../../media/package-film.ts";
import { findBrowser } from "../browsers/find-browser.ts";
import { withProduct } from "../product/with-page.ts";
import type { BenchContext, Figure } from "./benchmark.ts";
import { atLeast, medianFigure } from "./figures.ts";

const FILM: FilmSource = { kind: "demo" };
const CATEGORIES = ["performance", "accessibility"] as const;

interface Score {
  readonly performance: number | null;
  readonly accessibility: number | null;
}

type Device = "phone" | "desktop";

export async function run(bench: BenchContext): Promise<Figure[]> {
  const program = await findBrowser();
  const scores: Record<Device, Score[]> = { phone: [], desktop: [] };
  await withProduct({ program, film: FILM }, async ({ product, browser }) => {
    for (const device of bench.turns(["phone", "desktop"])) {
      scores[device].push(await scoreOf(browser, product.address, device));
    }
  });
  const figure = (device: Device, category: (typeof CATEGORIES)[number], least: number) =>
    medianFigure(
      `${category}, ${device}`,
      scores[device].map((score) => score[category]),
      "",
      atLeast(least),
    );
  return [
    figure("desktop", "performance", 90),
    figure("desktop", "accessibility", 95),
    figure("phone", "performance", 90),
    figure("phone", "accessibility", 95),
  ];
}

async function scoreOf(browser: Browser, url: string, device: Device): Promise<Score> {
  const flags = {
    port: Number(new URL(browser.wsEndpoint()).port),
    onlyCategories: [...CATEGORIES],
    logLevel: "error" as const,
  };
  const { default: lighthouse, desktopConfig } = await import("lighthouse"); // takes long: the help does without
  const result = await lighthouse(url, flags, device === "desktop" ? desktopConfig : undefined);
  if (result === undefined) throw new Error("Lighthouse gave no result");
  const { runtimeError, categories } = result.lhr;
  if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const percent = (name: (typeof CATEGORIES)[number]) => {
    const score = categories[name]?.score ?? null;
    return score === null ? null : Math.round(score * 100);
  };
  return { performance: percent("performance"), accessibility: percent("accessibility") };
}
