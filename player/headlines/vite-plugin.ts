import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { headlines, headlinesHtml } from "./headlines.ts";
import { MeasuredFigures } from "./measured-figures.ts";

const PLACE = /<!-- headlines:[^>]*-->/;

/** Writes the headline figures into a page that has a place for them, at each build: no figure is typed by hand. */
export function headlineFigures(readme: string): Plugin {
  return {
    name: "headline-figures",
    transformIndexHtml: (html) =>
      PLACE.test(html)
        ? html.replace(PLACE, headlinesHtml(headlines(new MeasuredFigures(readFileSync(readme, "utf8")))))
        : html,
  };
}
