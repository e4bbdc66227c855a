import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Presentation } from "../../../media/package-film.ts";
import { BUILD_DIRECTORY } from "../environment.ts";

const SEGMENT_SECONDS = 2;
const NUMBER = /-(\d{5})\.m4s$/;

/** A folder into which a packaged film comes segment by segment, as from a live packager. */
export class GrowingFilm implements AsyncDisposable {
  readonly presentation: Presentation;
  readonly #whole: Presentation;
  readonly #lastSegment: number;
  /** When the film's first second could be had. */
  #beganAt = new Date();
  #segments = 0;

  private constructor(whole: Presentation, directory: string, lastSegment: number) {
    this.#whole = whole;
    this.#lastSegment = lastSegment;
    this.presentation = { ...whole, directory, durationSeconds: SEGMENT_SECONDS * lastSegment };
  }

  /** Begins with `present` of its first `total` segments of 2 s. */
  static async begin(
    whole: Presentation,
    { present, total }: { present: number; total: number },
  ): Promise<GrowingFilm> {
    const parent = join(BUILD_DIRECTORY, "e2e");
    await mkdir(parent, { recursive: true });
    const film = new GrowingFilm(whole, await mkdtemp(join(parent, "growing-")), total);
    for (const name of await readdir(whole.directory)) if (name.startsWith("init-")) await film.#put(name);
    for (let count = 0; count < present; count++) await film.grow();
    await film.startClock();
    return film;
  }

  /** What is there has just been packaged: waiting for a server's start took the film no time. */
  async startClock(): Promise<void> {
    this.#beganAt = new Date(Date.now() - 1000 * SEGMENT_SECONDS * this.#segments);
    await this.#writeManifest();
  }

  get isWhole(): boolean {
    return this.#segments >= this.#lastSegment;
  }

  /** When the next segment is over. */
  get nextAtMs(): number {
    return this.#beganAt.getTime() + 1000 * SEGMENT_SECONDS * (this.#segments + 1);
  }

  /** By one segment of every representation; the manifest then tells of it, and at the last one that it is the last. */
  async grow(): Promise<void> {
    this.#segments += 1;
    for (const name of await readdir(this.#whole.directory))
      if (Number(NUMBER.exec(name)?.[1]) === this.#segments) await this.#put(name);
    await this.#writeManifest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.presentation.directory, { recursive: true });
  }

  #put(name: string): Promise<void> {
    return link(join(this.#whole.directory, name), join(this.presentation.directory, name));
  }

  /** Whole or not at all, as packagers do. */
  async #writeManifest(): Promise<void> {
    const manifest = await readFile(join(this.#whole.directory, "manifest.mpd"), "utf8");
    const partial = join(this.presentation.directory, ".manifest");
    await writeFile(partial, this.#cut(manifest));
    await rename(partial, join(this.presentation.directory, "manifest.mpd"));
  }

  #cut(manifest: string): string {
    const listed = manifest.replaceAll(
      /(<SegmentTimeline>)([\s\S]*?)(<\/SegmentTimeline>)/g,
      (_all, begin: string, timeline: string, end: string) =>
        `${begin}${firstOf(timeline, this.#segments)}${end}`,
    );
    const live = [
      'type="dynamic"',
      `availabilityStartTime="${this.#beganAt.toISOString()}"`,
      `publishTime="${new Date().toISOString()}"`,
      'minimumUpdatePeriod="PT1S"',
      `suggestedPresentationDelay="PT${SEGMENT_SECONDS}S"`,
    ].join(" ");
    const over = `type="static" mediaPresentationDuration="PT${SEGMENT_SECONDS * this.#segments}S"`;
    return listed.replace(/type="static"\s+mediaPresentationDuration="[^"]*"/, this.isWhole ? over : live);
  }
}

/** The first segments of a timeline's `S` elements, one element each. */
function firstOf(timeline: string, count: number): string {
  const segments = [...timeline.matchAll(/<S((?: t="\d+")?) d="(\d+)"(?: r="(\d+)")?/g)].flatMap(
    ([, start = "", duration, repeats = "0"]) =>
      Array.from(
        { length: Number(repeats) + 1 },
        (_, nth) => `<S${nth === 0 ? start : ""} d="${duration}"/>`,
      ),
  );
  return segments.slice(0, count).join("");
}
