/** Reads a packaged film: its manifest, which has a SegmentTimeline for each representation, and the sizes of its files. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Window } from "happy-dom";
import type { Film, FilmFile } from "./film.ts";

/** @throws Error naming what the folder lacks */
export function readFilm(folder: string, manifestName = "manifest.mpd"): Film {
  const manifest = readFileSync(join(folder, manifestName), "utf8");
  const document = new new Window().DOMParser().parseFromString(manifest, "application/xml");
  const files = new Map<string, FilmFile>();
  const add = (name: string, startSeconds: number, endSeconds: number): void => {
    files.set(name, { bytes: statSync(join(folder, name)).size, startSeconds, endSeconds });
  };
  for (const representation of document.querySelectorAll("Representation")) {
    const template = representation.querySelector("SegmentTemplate");
    const id = representation.getAttribute("id");
    if (template === null || id === null)
      throw new Error(`${folder}: a representation has no SegmentTemplate`);
    const named = (pattern: string, number: number): string =>
      pattern
        .replaceAll("$RepresentationID$", id)
        .replace(/\$Number(?:%0(\d+)d)?\$/, (_all, width?: string) =>
          `${number}`.padStart(Number(width ?? 1), "0"),
        );
    const timescale = Number(template.getAttribute("timescale") ?? 1);
    const media = template.getAttribute("media") ?? "";
    let number = Number(template.getAttribute("startNumber") ?? 1);
    let time = 0;
    add(named(template.getAttribute("initialization") ?? "", number), 0, 0);
    for (const entry of template.querySelectorAll("S")) {
      time = Number(entry.getAttribute("t") ?? time);
      const duration = Number(entry.getAttribute("d"));
      for (let repeat = 0; repeat <= Number(entry.getAttribute("r") ?? 0); repeat++) {
        add(named(media, number), time / timescale, (time + duration) / timescale);
        number += 1;
        time += duration;
      }
    }
  }
  if (files.size === 0) throw new Error(`${folder}/${manifestName} names no representation`);
  return { manifest, files };
}
