import type { ProbedTrack } from "./tracks.ts";

/** Of which ffmpeg makes WebVTT. */
const TEXT_CODECS: readonly string[] = ["ass", "mov_text", "ssa", "srt", "subrip", "text", "webvtt"];
const PICTURE_CODECS: readonly string[] = ["dvb_subtitle", "dvd_subtitle", "hdmv_pgs_subtitle", "xsub"];
/** Known to ffmpeg by name alone, or not even so: one such track would end the whole packaging. */
const UNDECODABLE_SOUND: readonly string[] = ["none", "unknown", "ac4", "apple_apac", "mpegh_3d_audio"];

/** Tracks that can be packaged, and sentences about the others. */
export interface UsableTracks {
  readonly tracks: readonly ProbedTrack[];
  readonly notes: readonly string[];
}

export function usableSound(audio: readonly ProbedTrack[]): UsableTracks {
  const [tracks, unknown] = parted(audio, ({ codec }) => !UNDECODABLE_SOUND.includes(codec));
  if (unknown.length === 0) return { tracks, notes: [] };
  const codecs = codecsOf(unknown);
  const note =
    tracks.length === 0
      ? `it has no sound: ffmpeg cannot decode what it has (${codecs})`
      : `${unknown.length} of its sound tracks ffmpeg cannot decode (${codecs}): they are left out`;
  return { tracks, notes: [note] };
}

export function usableCaptions(captions: readonly ProbedTrack[]): UsableTracks {
  const [tracks, others] = parted(captions, ({ codec }) => TEXT_CODECS.includes(codec));
  const [pictures, unknown] = parted(others, ({ codec }) => PICTURE_CODECS.includes(codec));
  const notes = [];
  if (pictures.length > 0)
    notes.push(
      `${pictures.length} of its captions are pictures (${codecsOf(pictures)}), of which no text can be made: they are left out`,
    );
  if (unknown.length > 0)
    notes.push(
      `${unknown.length} of its captions cannot be read here (${codecsOf(unknown)}): they are left out`,
    );
  return { tracks, notes };
}

function parted(
  tracks: readonly ProbedTrack[],
  is: (track: ProbedTrack) => boolean,
): [readonly ProbedTrack[], readonly ProbedTrack[]] {
  return [tracks.filter(is), tracks.filter((track) => !is(track))];
}

function codecsOf(tracks: readonly ProbedTrack[]): string {
  return [...new Set(tracks.map(({ codec }) => codec))].join(", ");
}
