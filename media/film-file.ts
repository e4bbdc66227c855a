import { resolve } from "node:path";
import { colourFilters } from "./colours.ts";
import type { EncodeJob } from "./encode.ts";
import { allRenditions, chooseRenditions, type Rendition, type Rung } from "./ladder.ts";
import { MediaError } from "./media-error.ts";
import { type ProbedVideo, parseProbe, titleOfFile } from "./probe.ts";
import { lastUsefulLine, readFfmpegOutput } from "./run-ffmpeg.ts";
import type { FilmSource } from "./source.ts";
import { usableCaptions, usableSound } from "./track-codecs.ts";
import { type ProbedTrack, trackNames } from "./tracks.ts";
import type { VideoCodecName } from "./video-codec.ts";

/** What a film is to be encoded to. */
export interface Rungs {
  /** Lowest first. */
  readonly ladder: readonly Rung[];
  /** Whether rungs are made, too, that a source gives no more picture for than the ones below. */
  readonly keepsAllRungs?: boolean | undefined;
  /** In which every rung is made besides H.264. */
  readonly codec?: VideoCodecName | undefined;
}

export interface FilmFileJob {
  readonly job: EncodeJob;
  /** What the container promises, for the progress bar; undefined when it does not tell. */
  readonly expectedSeconds: number | undefined;
  /** Those that can be text. */
  readonly captions: readonly ProbedTrack[];
  /** Sentences for whoever packages it. */
  readonly notes: readonly string[];
  /** What tells its presentation apart, where its pictures are not read as those of most films are. */
  readonly reading: string | undefined;
}

/** What a stranger's file may be. Playlists could name files of this machine, and have them shown. */
const CONTAINERS = "mov,matroska,avi,mpegts,mpeg,flv,ogg,asf,mxf,nut,ivf,gif,mpegvideo,h264,hevc";

/** Of a stranger's pictures, those of 8K cameras. A PNG of eight megabytes can have so many more that ffmpeg takes 6 GB. */
const MOST_PIXELS = 8192 * 4320;

/** Of a stranger's film: each is encoded by itself, beside all others. With 400 ffmpeg takes 100 s and 0.9 GB for one second. */
const MOST_SOUND_TRACKS = 64;

/** Of a stranger's film that does not tell its length. */
const LONGEST_UNPROMISED_SECONDS = 6 * 3600;

/** How to package a film file. Throws MediaError when it holds no film that ffmpeg can read. */
export async function filmFileJob(
  { path, isStrangers = false }: Extract<FilmSource, { kind: "file" }>,
  ffmpegPath: string,
  { ladder, keepsAllRungs = false, codec }: Rungs,
  signal: AbortSignal | undefined,
): Promise<FilmFileJob> {
  const inputArguments = [
    ...(isStrangers ? ["-format_whitelist", CONTAINERS, "-max_pixels", String(MOST_PIXELS)] : []),
    "-protocol_whitelist",
    "file,crypto,data",
    "-i",
    `file:${resolve(path)}`,
  ];
  const printed = await readFfmpegOutput(ffmpegPath, ["-hide_banner", ...inputArguments], signal);
  const film = parseProbe(printed.text);
  if (film === undefined) {
    const lastWords = lastUsefulLine(printed.text.split("\n")) ?? "it says nothing about why";
    throw new MediaError(
      `ffmpeg cannot read ${path} (${lastWords}); give a film file, for example an MP4 or MKV.`,
    );
  }
  const video = film.video;
  const hugeSize = isStrangers ? hugeSizeIn(printed.text, video) : undefined;
  if (hugeSize !== undefined) {
    throw new MediaError(
      `${path} has pictures of ${hugeSize} pixels, more than 8192x4320: scale them down, or give it with --film.`,
    );
  }
  if (video === undefined) {
    throw new MediaError(`${path} has no video stream; give a file that holds a film, not only sound.`);
  }
  if (film.durationSeconds === 0) {
    throw new MediaError(`${path} is zero seconds long; give a film with at least one picture.`);
  }
  const { numerator, denominator } = video.frameRate;
  const renditions = (keepsAllRungs ? allRenditions : chooseRenditions)(ladder, video);
  const sound = usableSound(film.audio);
  if (isStrangers && sound.tracks.length > MOST_SOUND_TRACKS) {
    throw new MediaError(
      `${path} has ${sound.tracks.length} sound tracks, more than ${MOST_SOUND_TRACKS}: leave some out, or give it with --film.`,
    );
  }
  const captions = usableCaptions(film.captions);
  const names = trackNames(sound.tracks, "Sound");
  const colours = await colourFilters(video, renditions, ffmpegPath);
  // start_time=0: pictures that begin later than the sound would shift every segment boundary.
  const timing = `yadif=deint=interlaced,fps=${numerator}/${denominator}:start_time=0`;
  const videoChain = `[0:V:0]${colours.first}${timing},${colours.last}format=yuv420p`;
  const isOrdinary = video.isOrdinary && `${colours.first}${colours.last}` === "";
  return {
    expectedSeconds: film.durationSeconds,
    captions: captions.tracks,
    notes: [
      ...[...colours.notes, ...sound.notes, ...captions.notes],
      ...oneRungNote(renditions, video, keepsAllRungs),
    ],
    reading: isOrdinary ? undefined : videoChain,
    job: {
      inputArguments,
      videoChain,
      audio: sound.tracks.map(({ streamIndex }, index) => ({
        chain: `[0:${streamIndex}]aresample=48000:async=1:first_pts=0,apad`,
        ...(names[index] ?? { language: undefined, label: "Sound" }),
      })),
      frameRate: video.frameRate,
      renditions,
      codec,
      durationSeconds: undefined,
      ...(isStrangers ? { longestSeconds: longestSeconds(film.durationSeconds) } : {}),
      title: titleOfFile(path),
    },
  };
}

/** What ffmpeg itself says, not a title that has its words. */
const REFUSED_SIZE = /^(?:\[[^\]\n]+\] )?\[IMGUTILS [^\]\n]+\] Picture size (\d+x\d+) exceeds/m;

/** Of a film's pictures that ffmpeg refused, or is about to; undefined: of none. A cover is refused, too, but never decoded. */
function hugeSizeIn(printed: string, video: ProbedVideo | undefined): string | undefined {
  if (video === undefined) return REFUSED_SIZE.exec(printed)?.[1];
  const { width, height } = video;
  return width * height > MOST_PIXELS ? `${width}x${height}` : undefined;
}

/** Gaps in a film of a few kilobytes can last for years, all of which would be encoded. */
function longestSeconds(promisedSeconds: number | undefined): number {
  return promisedSeconds === undefined ? LONGEST_UNPROMISED_SECONDS : 60 + 1.1 * promisedSeconds;
}

function oneRungNote(
  renditions: readonly Rendition[],
  { bitsPerSecond }: ProbedVideo,
  keepsAllRungs: boolean,
): readonly string[] {
  if (renditions.length > 1 || keepsAllRungs) return [];
  const cause = bitsPerSecond === undefined ? "size" : `${Math.round(bitsPerSecond / 1000)} kbit/s`;
  return [
    `its ${cause} gives one rung, so nothing adapts: name more with --ladder 320x180@200k,640x360@600k`,
  ];
}
