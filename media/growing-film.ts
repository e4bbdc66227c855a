import { existsSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nameTracksInManifest } from "./name-tracks.ts";
import { type BegunPackaging, type PackageFilmOptions, packageFilm } from "./package-film.ts";
import { hasBegun, predictManifest } from "./predicted-manifest.ts";
import { MANIFEST_FILE, type Presentation } from "./presentation.ts";
import type { EncodingProgress } from "./stays-ahead.ts";

const PREDICTED_MANIFEST = "playing.mpd";

/** A film that can be played while it is encoded. */
export class GrowingFilm {
  /** Rejects as `packageFilm` does. */
  readonly whole: Promise<Presentation>;
  #begun: BegunPackaging | null = null;
  #begunAtMs = 0;
  #encodedRatio = 0;
  #presentation: Presentation | null = null;
  #isPlayable = false;
  #tellPlayable: () => void = () => undefined;
  #hasEnded = false;
  readonly #changes = new Set<() => void>();

  private constructor(options: PackageFilmOptions) {
    const changed = () => this.#tell();
    this.whole = packageFilm({
      ...options,
      yieldsAfter: new Promise((resolve) => {
        this.#tellPlayable = resolve;
      }),
      onProgress: (progress) => {
        options.onProgress?.(progress);
        this.#encodedRatio = progress.ratio;
        changed();
      },
      onBegin: (begun) => {
        this.#begun = begun;
        this.#begunAtMs = performance.now();
      },
    }).then((presentation) => this.#becomeWhole(presentation));
    const end = () => {
      this.#hasEnded = true;
      changed();
    };
    this.whole.then(end, end);
  }

  /**
   * Begins to package a film; once it can be played, all else on this machine goes first.
   *
   * @param mayPlay whether it is far enough; without, its first segments are
   * @returns what can be played now: the film that grows, or its presentation where that is there sooner, or where its
   *   container does not tell how long it will be
   * @throws as `packageFilm`
   */
  static async begin(
    options: PackageFilmOptions,
    mayPlay: (progress: EncodingProgress) => boolean = () => true,
  ): Promise<GrowingFilm | Presentation> {
    const film = new GrowingFilm(options);
    while (!film.#hasEnded && !film.#isPlayable) {
      await film.#change();
      film.#isPlayable = film.#isFar(mayPlay) && (await film.#predict());
    }
    if (!film.#isPlayable) return film.whole;
    film.#tellPlayable();
    return film;
  }

  get title(): string {
    return this.#known.job.title;
  }

  /** As the container promises. */
  get durationSeconds(): number {
    return this.#known.expectedSeconds ?? 0;
  }

  /** Where its files can be had from first to last: once it is whole, a link to the presentation. */
  get folder(): string {
    return this.#known.directory;
  }

  /** The folder itself. */
  get directory(): string {
    return this.#presentation?.directory ?? this.folder;
  }

  /** Tells of all that will be there; of a film that is whole, of what is. */
  get manifest(): string {
    return this.#presentation === null ? PREDICTED_MANIFEST : MANIFEST_FILE;
  }

  /** Whether a file is there, or comes in that time; with the signal nobody waits for it any more. */
  async comes(file: string, withinMs: number, signal?: AbortSignal): Promise<boolean> {
    const isThere = () => existsSync(join(this.directory, file));
    const waiting = new AbortController();
    const end = () => waiting.abort();
    const timer = setTimeout(end, withinMs);
    signal?.addEventListener("abort", end);
    const isOver = () => this.#hasEnded || waiting.signal.aborted || signal?.aborted === true;
    while (!isThere() && !isOver()) await this.#change(waiting.signal);
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    return isThere();
  }

  /** Then nobody has to wait for a file. */
  get isWhole(): boolean {
    return this.#presentation !== null;
  }

  get #known(): BegunPackaging {
    if (this.#begun === null) throw new Error("the film has not begun");
    return this.#begun;
  }

  #isFar(mayPlay: (progress: EncodingProgress) => boolean): boolean {
    const wholeSeconds = this.#begun?.expectedSeconds;
    if (wholeSeconds === undefined || this.#encodedRatio === 1) return false; // at its end its folder gets its name
    const elapsedSeconds = (performance.now() - this.#begunAtMs) / 1000;
    return mayPlay({ encodedSeconds: this.#encodedRatio * wholeSeconds, elapsedSeconds, wholeSeconds });
  }

  /** Writes the manifest of what will be, as soon as the first segments are there. */
  async #predict(): Promise<boolean> {
    if (this.#begun === null || this.#hasEnded) return false;
    const { directory, job, captions, expectedSeconds, segmentSeconds } = this.#begun;
    const encoders = join(directory, MANIFEST_FILE);
    if (expectedSeconds === undefined || !existsSync(encoders)) return false;
    const xml = await readFile(encoders, "utf8");
    if (!hasBegun(xml)) return false;
    const predicted = predictManifest(xml, { expectedSeconds, segmentSeconds });
    await writeFile(
      join(directory, PREDICTED_MANIFEST),
      nameTracksInManifest(predicted, job.audio, captions),
    );
    return true;
  }

  /** Whoever has the folder open by its path finds the presentation there. */
  async #becomeWhole(presentation: Presentation): Promise<Presentation> {
    if (this.#isPlayable) await symlink(presentation.directory, this.folder);
    this.#presentation = presentation;
    return presentation;
  }

  /** @param end of waiting for it, of one who waits: to wake all of them each time would take the square of their number */
  #change(end?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        this.#changes.delete(goOn);
        end?.removeEventListener("abort", goOn);
        resolve();
      };
      this.#changes.add(goOn);
      end?.addEventListener("abort", goOn);
    });
  }

  #tell(): void {
    for (const goOn of [...this.#changes]) goOn();
  }
}
