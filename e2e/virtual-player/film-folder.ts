/** Reads a packaged film: its manifest, which has a SegmentTimeline for each representation, and the sizes of its files. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Element as XmlElement } from "happy-dom";
import type { Film, FilmFile, FilmTrack } from "./film.ts";
import { Window } from "./happy-dom.ts";

/** A folder that holds no film of this kind; the message is one sentence. */
export class FilmError extends Error {}

/** @throws FilmError */
export function readFilm(folder: string, manifestName = "manifest.mpd"): Film {
  const window = new Window();
  const text = readFileSync(join(folder, manifestName), "utf8");
  const document = new window.DOMParser().parseFromString(text, "application/xml");
  // Captions: of no weight, and nobody reads them here.
  const captions = [...document.querySelectorAll('AdaptationSet[contentType="text"]')];
  for (const set of captions) set.remove();
  const manifest = captions.length === 0 ? text : new window.XMLSerializer().serializeToString(document);
  const files = new Map<string, FilmFile>();
  const segmentsOf = new Map<string, FilmFile[]>();
  const add = (name: string, startSeconds: number, endSeconds: number): FilmFile => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found === undefined) throw new FilmError(`${folder}: the manifest names ${name}, which is not there`);
    const file = { bytes: found.size, startSeconds, endSeconds };
    files.set(name, file);
    return file;
  };
  for (const representation of document.querySelectorAll("Representation")) {
    const template = representation.querySelector("SegmentTemplate");
    const id = representation.getAttribute("id");
    if (template === null || id === null) {
      throw new FilmError(`${folder}: a representation has no SegmentTemplate`);
    }
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
    const segments: FilmFile[] = [];
    segmentsOf.set(id, segments);
    add(named(template.getAttribute("initialization") ?? "", number), 0, 0);
    for (const entry of template.querySelectorAll("S")) {
      time = Number(entry.getAttribute("t") ?? time);
      const duration = Number(entry.getAttribute("d"));
      for (let repeat = 0; repeat <= Number(entry.getAttribute("r") ?? 0); repeat++) {
        segments.push(add(named(media, number), time / timescale, (time + duration) / timescale));
        number += 1;
        time += duration;
      }
    }
  }
  if (files.size === 0) throw new FilmError(`${folder}/${manifestName} names no representation`);
  const rungs = [...document.querySelectorAll('AdaptationSet[contentType="video"] Representation')]
    .map((rung) => ({
      bitsPerSecond: Number(rung.getAttribute("bandwidth")),
      segments: segmentsOf.get(rung.getAttribute("id") ?? "") ?? [],
    }))
    .toSorted((a, b) => a.bitsPerSecond - b.bitsPerSecond);
  const tracks = [...document.querySelectorAll("Representation")].map(trackOf);
  const qualityFile = join(folder, "quality.json");
  const quality = existsSync(qualityFile) ? readFileSync(qualityFile, "utf8") : null;
  return { manifest, quality, files, rungs, tracks };
}

function trackOf(representation: XmlElement): FilmTrack {
  const set = representation.closest("AdaptationSet");
  const value = (name: string): string => representation.getAttribute(name) ?? set?.getAttribute(name) ?? "";
  const [frames = 0, seconds = 1] = value("frameRate").split("/").map(Number);
  return {
    kind: value("contentType") === "audio" || value("mimeType").startsWith("audio/") ? "audio" : "video",
    bitsPerSecond: Number(value("bandwidth")),
    codecs: value("codecs"),
    widthPixels: Number(value("width")),
    heightPixels: Number(value("height")),
    framesPerSecond: frames / seconds,
  };
}
