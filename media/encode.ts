import { AUDIO_BITS_PER_SECOND, type Rendition } from "./ladder.ts";
import type { FrameRate } from "./probe.ts";

/** Change when the same film and ladder would be packaged differently: every presentation is then made anew. */
export const PACKAGER_VERSION = 4;

const SEGMENT_SECONDS = 2;
const BUFFER_SECONDS = 1; // x264's rate buffer: a segment exceeds its rung's rate by at most a quarter
const INITIAL_BUFFER_RATIO = 0.5; // x264 starts with 0.9, which makes the first segment the largest by far
const PRESET = "superfast"; // veryfast takes half as long again
/**
 * Pictures of this height and more are most of the work. ultrafast bands smooth areas, for want of a deblocking filter and of
 * adaptive quantisation; with these, and with CABAC, 8 Mbit/s look as with superfast (SSIM 0.8977 and 0.8982).
 */
const LARGE_HEIGHT = 1080;
const LARGE = ["ultrafast", "no-deblock=0:deblock=0,0:cabac=1:8x8dct=1:aq-mode=1"] as const;

export interface EncodeJob {
  /** What comes before the filters: the inputs, none for generated pictures. */
  readonly inputArguments: readonly string[];
  /** A filter chain without an output label: frames at `frameRate`, from time zero on. */
  readonly videoChain: string;
  /** The same for sound; undefined when the film has none. */
  readonly audioChain: string | undefined;
  readonly frameRate: FrameRate;
  readonly renditions: readonly Rendition[];
  /** Filters to run on a scaled rendition, for example to burn its bit rate in. */
  readonly labelChain?: (rendition: Rendition) => string;
  /** Where the output ends; undefined: with the film's last picture. */
  readonly durationSeconds: number | undefined;
  readonly title: string;
}

/** ffmpeg's arguments for a whole presentation: one decoding, all renditions, in the working directory. */
export function encodeArguments(job: EncodeJob): readonly string[] {
  return [
    ...["-v", "error", "-y"],
    ...job.inputArguments,
    ...["-filter_complex", filterGraph(job)],
    ...job.renditions.flatMap((_, index) => ["-map", `[video${index}]`]),
    ...(job.audioChain === undefined ? [] : ["-map", "[audio]"]),
    ...["-map_metadata", "-1", "-metadata", `title=${job.title}`],
    // Sound is padded without end, so that the pictures decide where every representation ends.
    ...(job.durationSeconds === undefined ? ["-shortest"] : ["-t", String(job.durationSeconds)]),
    ...videoArguments(job),
    ...(job.audioChain === undefined ? [] : audioArguments()),
    ...dashArguments(job),
    "manifest.mpd",
  ];
}

function filterGraph(job: EncodeJob): string {
  const copies = job.renditions.map((_, index) => `[copy${index}]`).join("");
  const chains = [`${job.videoChain},split=${job.renditions.length}${copies}`];
  job.renditions.forEach((rendition, index) => {
    const { width, height } = rendition.sampleAspectRatio;
    const label = job.labelChain === undefined ? "" : `,${job.labelChain(rendition)}`;
    chains.push(
      `[copy${index}]scale=${rendition.width}:${rendition.height}:flags=bicubic,` +
        `setsar=${width}/${height}:max=${Math.max(width, height, 100)}${label}[video${index}]`,
    );
  });
  if (job.audioChain !== undefined) chains.push(`${job.audioChain}[audio]`);
  return chains.join(";");
}

function videoArguments(job: EncodeJob): readonly string[] {
  const framesPerSegment = segmentFrames(job.frameRate);
  return [
    // B-frames would take an eighth of the time, for 0.5 dB of SSIM in the smallest pictures and nothing in the largest.
    ...["-c:v", "libx264", "-preset", PRESET, "-bf:v", "0", "-profile:v", "high", "-pix_fmt", "yuv420p"],
    ...job.renditions.flatMap(({ height }, index) =>
      height < LARGE_HEIGHT ? [] : [`-preset:v:${index}`, LARGE[0], `-x264-params:v:${index}`, LARGE[1]],
    ),
    // Counted in frames, so that every rendition is cut at the same ones whatever the film's rate.
    ...["-force_key_frames:v", `expr:gte(n,n_forced*${framesPerSegment})`, "-g:v", String(framesPerSegment)],
    ...["-sc_threshold:v", "0", "-flags:v", "+cgop"],
    ...job.renditions.flatMap(({ videoBitsPerSecond }, index) => [
      ...[`-b:v:${index}`, String(videoBitsPerSecond), `-maxrate:v:${index}`, String(videoBitsPerSecond)],
      ...[`-bufsize:v:${index}`, String(videoBitsPerSecond * BUFFER_SECONDS)],
      `-rc_init_occupancy:v:${index}`,
      String(videoBitsPerSecond * BUFFER_SECONDS * INITIAL_BUFFER_RATIO),
    ]),
  ];
}

function audioArguments(): readonly string[] {
  return ["-c:a", "aac", "-b:a", String(AUDIO_BITS_PER_SECOND), "-ar", "48000", "-ac", "2"];
}

function dashArguments(job: EncodeJob): readonly string[] {
  const { numerator, denominator } = job.frameRate;
  const segmentSeconds = (segmentFrames(job.frameRate) * denominator) / numerator;
  const sets = job.audioChain === undefined ? "id=0,streams=v" : "id=0,streams=v id=1,streams=a";
  return [
    ...["-f", "dash", "-dash_segment_type", "mp4", "-use_template", "1", "-use_timeline", "1"],
    // Rounded down to a microsecond: a segment is cut at the first key frame that is not earlier.
    ...["-seg_duration", (Math.floor(segmentSeconds * 1e6) / 1e6).toFixed(6), "-adaptation_sets", sets],
    ...["-init_seg_name", "init-$RepresentationID$.m4s"],
    ...["-media_seg_name", "seg-$RepresentationID$-$Number%05d$.m4s"],
    // master.m3u8 and one playlist a representation, of the same segments: for players of HLS.
    ...["-hls_playlist", "1"],
  ];
}

/** Whole frames nearest to two seconds: 48 at 24 and at 23.976 frames per second (then 2.002 s). */
function segmentFrames({ numerator, denominator }: FrameRate): number {
  return Math.max(1, Math.round((SEGMENT_SECONDS * numerator) / denominator));
}
