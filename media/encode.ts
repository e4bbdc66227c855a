import type { FrameRate } from "./frame-rate.ts";
import { AUDIO_BITS_PER_SECOND, type Rendition } from "./ladder.ts";
import type { TrackName } from "./tracks.ts";
import { VIDEO_CODECS, type VideoCodec, type VideoCodecName } from "./video-codec.ts";

/** Change one when the same source and ladder would be packaged differently: its presentations are then made anew. */
export const PACKAGER_VERSION = { demo: 5, file: 6 } as const;

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

export interface AudioTrack extends TrackName {
  readonly chain: string;
}

export interface EncodeJob {
  /** What comes before the filters: the inputs, none for generated pictures. */
  readonly inputArguments: readonly string[];
  /** A filter chain without an output label: frames at `frameRate`, from time zero on. */
  readonly videoChain: string;
  /** The same for each sound track. */
  readonly audio: readonly AudioTrack[];
  readonly frameRate: FrameRate;
  readonly renditions: readonly Rendition[];
  /** In which each rendition is encoded a second time; undefined: in none. */
  readonly codec?: VideoCodecName | undefined;
  /** Filters to run on a scaled rendition, for example to burn its bit rate in. */
  readonly labelChain?: (rendition: Rendition) => string;
  /** Where the output ends; undefined: with the film's last picture. */
  readonly durationSeconds: number | undefined;
  /** Where it ends at the latest, whatever a film says of itself; undefined: nowhere. */
  readonly longestSeconds?: number | undefined;
  readonly title: string;
}

/** ffmpeg's arguments for a whole presentation: one decoding, all renditions, in the working directory. */
export function encodeArguments(job: EncodeJob): readonly string[] {
  return [
    ...["-v", "error", "-y"],
    ...job.inputArguments,
    ...["-filter_complex", filterGraph(job)],
    ...encodings(job).flatMap((_, index) => ["-map", `[video${index}]`]),
    ...job.audio.flatMap((_, index) => ["-map", `[audio${index}]`]),
    ...["-map_metadata", "-1", "-metadata", `title=${job.title}`],
    // Sound is padded without end, so that the pictures decide where every representation ends.
    ...(job.durationSeconds === undefined ? ["-shortest"] : ["-t", String(job.durationSeconds)]),
    ...(job.longestSeconds === undefined ? [] : ["-t", String(job.longestSeconds)]),
    ...videoArguments(job),
    ...(job.audio.length === 0 ? [] : audioArguments(job.audio)),
    ...dashArguments(job),
    "manifest.mpd",
  ];
}

interface Encoding {
  readonly rendition: Rendition;
  /** undefined: H.264. */
  readonly codec: VideoCodec | undefined;
  readonly bitsPerSecond: number;
}

/** Every stream of pictures in the output, H.264 first. */
function encodings({
  renditions,
  codec: name,
}: Pick<EncodeJob, "renditions" | "codec">): readonly Encoding[] {
  const of = (codec: VideoCodec | undefined): Encoding[] =>
    renditions.map((rendition) => {
      const bitsPerSecond = Math.round(rendition.videoBitsPerSecond * (codec?.bitsFactor ?? 1));
      return { rendition, codec, bitsPerSecond };
    });
  return name === undefined ? of(undefined) : [...of(undefined), ...of(VIDEO_CODECS[name])];
}

/** What a second of a job's output takes. */
export function jobBitsPerSecond(job: Pick<EncodeJob, "renditions" | "codec" | "audio">): number {
  const video = encodings(job).reduce((total, { bitsPerSecond }) => total + bitsPerSecond, 0);
  return video + job.audio.length * AUDIO_BITS_PER_SECOND;
}

function filterGraph(job: EncodeJob): string {
  const streams = encodings(job);
  const copies = streams.map((_, index) => `[copy${index}]`).join("");
  const chains = [`${job.videoChain},split=${streams.length}${copies}`];
  streams.forEach(({ rendition }, index) => {
    const { width, height } = rendition.sampleAspectRatio;
    const label = job.labelChain === undefined ? "" : `,${job.labelChain(rendition)}`;
    chains.push(
      `[copy${index}]scale=${rendition.width}:${rendition.height}:flags=bicubic,` +
        `setsar=${width}/${height}:max=${Math.max(width, height, 100)}${label}[video${index}]`,
    );
  });
  const sound = job.audio.map(({ chain }, index) => `${chain}[audio${index}]`);
  return [...chains, ...sound].join(";");
}

function videoArguments(job: EncodeJob): readonly string[] {
  const framesPerSegment = segmentFrames(job.frameRate);
  return [
    // B-frames would take an eighth of the time, for 0.5 dB of SSIM in the smallest pictures and nothing in the largest.
    ...["-c:v", "libx264", "-preset", PRESET, "-bf:v", "0", "-profile:v", "high", "-pix_fmt", "yuv420p"],
    ...encodings(job).flatMap(({ rendition, codec }, index) => {
      if (codec !== undefined) return otherCodecArguments(codec, index, framesPerSegment);
      return rendition.height < LARGE_HEIGHT
        ? []
        : [`-preset:v:${index}`, LARGE[0], `-x264-params:v:${index}`, LARGE[1]];
    }),
    // Counted in frames, so that every rendition is cut at the same ones whatever the film's rate.
    ...["-force_key_frames:v", `expr:gte(n,n_forced*${framesPerSegment})`, "-g:v", String(framesPerSegment)],
    ...["-sc_threshold:v", "0", "-flags:v", "+cgop"],
    ...encodings(job).flatMap(({ bitsPerSecond, codec }, index) => [
      ...[`-b:v:${index}`, String(bitsPerSecond)],
      ...(codec?.hasOwnBuffer === true ? [] : bufferArguments(bitsPerSecond, index)),
    ]),
  ];
}

function bufferArguments(bitsPerSecond: number, index: number): readonly string[] {
  return [
    ...[
      `-maxrate:v:${index}`,
      String(bitsPerSecond),
      `-bufsize:v:${index}`,
      String(bitsPerSecond * BUFFER_SECONDS),
    ],
    ...[`-rc_init_occupancy:v:${index}`, String(bitsPerSecond * BUFFER_SECONDS * INITIAL_BUFFER_RATIO)],
  ];
}

function otherCodecArguments(codec: VideoCodec, index: number, framesPerSegment: number): readonly string[] {
  return [
    ...[`-c:v:${index}`, codec.encoder, `-profile:v:${index}`, "main"],
    ...codec.arguments(index, framesPerSegment),
  ];
}

function audioArguments(tracks: readonly AudioTrack[]): readonly string[] {
  return [
    ...["-c:a", "aac", "-b:a", String(AUDIO_BITS_PER_SECOND), "-ar", "48000", "-ac", "2"],
    ...tracks.flatMap(({ language }, index) =>
      language === undefined ? [] : [`-metadata:s:a:${index}`, `language=${language}`],
    ),
  ];
}

function dashArguments(job: EncodeJob): readonly string[] {
  const segmentSeconds = segmentSecondsOf(job);
  return [
    ...["-f", "dash", "-dash_segment_type", "mp4", "-use_template", "1", "-use_timeline", "1"],
    // Rounded down to a microsecond: a segment is cut at the first key frame that is not earlier.
    ...[
      "-seg_duration",
      (Math.floor(segmentSeconds * 1e6) / 1e6).toFixed(6),
      "-adaptation_sets",
      adaptationSets(job),
    ],
    ...["-init_seg_name", "init-$RepresentationID$.m4s"],
    ...["-media_seg_name", "seg-$RepresentationID$-$Number%05d$.m4s"],
    // master.m3u8 and one playlist a representation, of the same segments: for players of HLS.
    ...["-hls_playlist", "1"],
  ];
}

/** One for each codec of the pictures, one for each sound track. */
function adaptationSets(job: EncodeJob): string {
  const { renditions, audio, codec } = job;
  const indexes = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => first + index);
  const video = encodings(job).length;
  const sets = [
    codec === undefined ? "v" : indexes(0, renditions.length).join(","),
    ...(codec === undefined ? [] : [indexes(renditions.length, renditions.length).join(",")]),
    ...(audio.length === 1 ? ["a"] : indexes(video, audio.length).map(String)),
  ];
  return sets.map((streams, id) => `id=${id},streams=${streams}`).join(" ");
}

export function segmentSecondsOf({ frameRate }: Pick<EncodeJob, "frameRate">): number {
  return (segmentFrames(frameRate) * frameRate.denominator) / frameRate.numerator;
}

/** Whole frames nearest to two seconds: 48 at 24 and at 23.976 frames per second (then 2.002 s). */
function segmentFrames({ numerator, denominator }: FrameRate): number {
  return Math.max(1, Math.round((SEGMENT_SECONDS * numerator) / denominator));
}
