/** How good a film's segments look, from the quality.json beside its manifest (media/README.md has its schema). */

/** Of each segment: where it begins, and its VMAF by representation. */
interface KnownVmaf {
  readonly startsSeconds: readonly number[];
  readonly ofRepresentation: ReadonlyMap<string, readonly number[]>;
}

const QUALITY_FILE = "quality.json";
const SCHEMA = 1;

export class FilmVmaf {
  #known: KnownVmaf | null = null;
  #manifestUrl: string | null = null;

  /** Looks for it beside a manifest, once for each; without one, or for a manifest without a URL, VMAF stays unknown. */
  async look(manifestUrl: string | null): Promise<void> {
    if (manifestUrl === this.#manifestUrl) return;
    this.#manifestUrl = manifestUrl;
    this.#known = null;
    if (manifestUrl === null) return;
    const json = await read(new URL(QUALITY_FILE, manifestUrl).href);
    if (manifestUrl === this.#manifestUrl) this.#known = parse(json); // another film may have come meanwhile
  }

  /** VMAF by representation, of the segment that begins nearest to a time and of those after it; null where it is not known. */
  ahead(representations: readonly string[], fromSeconds: number): readonly (readonly number[])[] | null {
    if (this.#known === null) return null;
    const { startsSeconds, ofRepresentation } = this.#known;
    const next = nearest(startsSeconds, fromSeconds);
    const found = representations.map((id) => ofRepresentation.get(id)?.slice(next) ?? []);
    return found.every((vmaf) => vmaf.length > 0) ? found : null;
  }

  /** Of the segment before the one that begins nearest to a time; null before the first, and where it is not known. */
  before(representation: string, fromSeconds: number): number | null {
    if (this.#known === null) return null;
    const { startsSeconds, ofRepresentation } = this.#known;
    return ofRepresentation.get(representation)?.[nearest(startsSeconds, fromSeconds) - 1] ?? null;
  }
}

/** Place of the segment that begins nearest to a time. */
function nearest(startsSeconds: readonly number[], seconds: number): number {
  const distance = (segment: number): number => Math.abs((startsSeconds[segment] ?? 0) - seconds);
  let next = 0;
  startsSeconds.forEach((_, segment) => {
    if (distance(segment) < distance(next)) next = segment;
  });
  return next;
}

/** null where there is none. */
async function read(url: string): Promise<unknown> {
  try {
    const response = await fetch(url);
    return response.ok && response.status !== 204 ? await response.json() : null;
  } catch (error) {
    // of another origin, or no JSON: as if there was none
    console.warn(`${url}: ${error instanceof Error ? error.message : error}; VMAF stays unknown`);
    return null;
  }
}

/** null for what is no file of this schema. */
function parse(json: unknown): KnownVmaf | null {
  if (!isRecord(json) || json.schema !== SCHEMA) return null;
  const { segmentSeconds, rungs } = json;
  if (!isNumbers(segmentSeconds) || !Array.isArray(rungs)) return null;
  const ofRepresentation = new Map<string, readonly number[]>();
  for (const rung of rungs) {
    if (!isRecord(rung)) return null;
    const { representation, vmaf } = rung;
    if (typeof representation !== "string" || !isNumbers(vmaf) || vmaf.length !== segmentSeconds.length)
      return null;
    ofRepresentation.set(representation, vmaf);
  }
  let at = 0;
  const startsSeconds = segmentSeconds.map((seconds) => {
    at += seconds;
    return at - seconds;
  });
  return { startsSeconds, ofRepresentation };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((number) => typeof number === "number" && Number.isFinite(number));
