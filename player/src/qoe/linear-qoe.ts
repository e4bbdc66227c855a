/** The linear quality of experience, of which both the page and the experiments tell. Pure. */

/** Seconds of a segment's bitrate (in Mbit/s) that one second of rebuffering costs: the top bitrate of Pensieve's ladder. */
export const REBUFFER_PENALTY = 4.3;

export interface PlayedFilm {
  /** Nominal bitrate of each segment that was played, in order, Mbit/s. */
  readonly segmentMegabitsPerSecond: readonly number[];
  /** Time without playback after the first frame. */
  readonly rebufferSeconds: number;
}

export interface Qoe {
  /** QoE_lin over the whole session. */
  readonly total: number;
  /** The same per segment, so that sessions of different length can be compared. */
  readonly perSegment: number;
  readonly bitrateSum: number;
  readonly rebufferPenalty: number;
  readonly smoothnessPenalty: number;
}

/**
 * Linear quality of experience, QoE_lin of Pensieve (Mao et al., SIGCOMM 2017, section 5.1, equation 5 with q(R) = R in
 * Mbit/s; the form is that of Yin et al., SIGCOMM 2015):
 *
 *     sum over segments of R_n  -  4.3 * rebuffering in s  -  sum over neighbours of |R_(n+1) - R_n|
 *
 * The start-up delay is no rebuffering here; it is reported beside it. A film of no segment has no QoE: null.
 */
export function linearQoe({ segmentMegabitsPerSecond: bitrates, rebufferSeconds }: PlayedFilm): Qoe | null {
  if (bitrates.length === 0) return null;
  const bitrateSum = bitrates.reduce((sum, bitrate) => sum + bitrate, 0);
  const smoothnessPenalty = bitrates
    .slice(1)
    .reduce((sum, bitrate, index) => sum + Math.abs(bitrate - (bitrates[index] as number)), 0);
  const rebufferPenalty = REBUFFER_PENALTY * rebufferSeconds;
  const total = bitrateSum - rebufferPenalty - smoothnessPenalty;
  return { total, perSegment: total / bitrates.length, bitrateSum, rebufferPenalty, smoothnessPenalty };
}
