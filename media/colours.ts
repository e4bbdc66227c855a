import { hasFilter } from "./find-ffmpeg.ts";
import type { Rendition } from "./ladder.ts";
import type { HdrColours, ProbedVideo } from "./probe.ts";

/** How a film's colours become those of ordinary films: 8 bit, BT.709. */
export interface ColourFilters {
  /** Before all others: some would convert in their own way. Each with a comma after it. */
  readonly first: string;
  /** After the film has its rate. */
  readonly last: string;
  readonly notes: readonly string[];
}

const TAGS = "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv,";
const HDR_FILTERS = ["zscale", "tonemap"];
/** cd/m² that are 1 in linear light: white of ordinary films (ITU-R BT.1886). What is brighter is compressed. */
const WHITE_NITS = 100;

/** For a source's pictures; `renditions` are what they become. */
export async function colourFilters(
  { isRgb, hdr }: Pick<ProbedVideo, "isRgb" | "hdr">,
  renditions: readonly Rendition[],
  ffmpegPath: string,
): Promise<ColourFilters> {
  if (hdr !== undefined) {
    const has = await Promise.all(HDR_FILTERS.map((name) => hasFilter(name, ffmpegPath)));
    if (has.every(Boolean)) return { first: "", last: toneMapping(hdr, renditions), notes: [] };
    const lacks = HDR_FILTERS.filter((_, index) => has[index] === false).join(" and ");
    const note = `it is HDR, which this ffmpeg cannot map (it lacks ${lacks}): its colours look pale`;
    return { first: "", last: "", notes: [note] };
  }
  if (!isRgb) return { first: "", last: "", notes: [] };
  return { first: `scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,${TAGS}`, last: "", notes: [] };
}

/** In linear light, and at the size of the largest rendition: that is slow. */
function toneMapping({ matrix, primaries, transfer }: HdrColours, renditions: readonly Rendition[]): string {
  const { width, height } = renditions.reduce((best, each) => (each.width > best.width ? each : best));
  return (
    `setparams=colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer},` + // zscale takes nothing unknown
    `zscale=w=${width}:h=${height}:f=bicubic:t=linear:npl=${WHITE_NITS},format=gbrpf32le,` +
    "zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,"
  );
}
