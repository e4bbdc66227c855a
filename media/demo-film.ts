import type { EncodeJob } from "./encode.ts";
import type { Rungs } from "./film-file.ts";
import type { FrameRate } from "./frame-rate.ts";
import { allRenditions, chooseRenditions, type Rendition } from "./ladder.ts";

export const DEMO_TITLE = "Nuwa demo film";
export const DEMO_SECONDS = 120;

/** The font must lie under this name in ffmpeg's working directory: paths in a filter graph need three escapings. */
export const DEMO_FONT_FILE = "font.ttf";

const FRAME_RATE: FrameRate = { numerator: 24, denominator: 1 };
const FRAMES_PER_SECOND = FRAME_RATE.numerator / FRAME_RATE.denominator;
const WIDTH = 1920;
const HEIGHT = 1080;

const TICKER = "The quick brown fox jumps over the lazy dog  0123456789   ".repeat(3);

/** How to generate and package the demo film: ffmpeg draws and plays everything in it, so it carries no licence. */
export function demoFilmJob(
  { ladder, keepsAllRungs = false, codec }: Rungs,
  durationSeconds: number,
): EncodeJob {
  const picture = { width: WIDTH, height: HEIGHT, sampleAspectRatio: { width: 1, height: 1 } };
  const renditions = (keepsAllRungs ? allRenditions : chooseRenditions)(ladder, {
    ...picture,
    codec: "rawvideo",
    bitsPerSecond: undefined,
  });
  return {
    inputArguments: [],
    videoChain: pictures(),
    audio: [{ chain: melody(), language: undefined, label: "Melody" }],
    frameRate: FRAME_RATE,
    renditions,
    codec,
    labelChain: burntInLabel,
    durationSeconds,
    title: DEMO_TITLE,
  };
}

/**
 * A slow flight over one large fractal (fine detail and smooth areas), a flowing zone plate (moiré when sharpness is
 * lost), a cellular automaton (nothing can be predicted), running text, and a little film grain: at constant quality
 * (crf 23) the top rung needs 7 of its 8 Mbit/s. With twice the grain it would need 22, and no rung could show it.
 */
function pictures(): string {
  const fractal =
    `mandelbrot=size=2880x1620:rate=${FRAMES_PER_SECOND}:start_scale=0.004:maxiter=400:inner=black,` +
    // One picture, drawn once and repeated: the flight is a moving crop, which costs next to nothing.
    "trim=end_frame=1,hue=s=0.8,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p," +
    `loop=loop=-1:size=1:start=0,setpts=N/${FRAMES_PER_SECOND}/TB,` +
    `crop=${WIDTH}:${HEIGHT}:x='480+475*sin(t/11)':y='270+265*cos(t/7)'[fractal]`;
  const zonePlate = `zoneplate=size=560x560:rate=${FRAMES_PER_SECOND}:kx2=60:ky2=60:kt=40:ku=30:kv=60,format=yuv420p[zoneplate]`;
  const automaton =
    `cellauto=size=280x210:rate=${FRAMES_PER_SECOND}:rule=110:random_seed=7,format=gray,` +
    "scale=560:420:flags=neighbor,format=yuv420p[automaton]";
  const composition =
    "[fractal][zoneplate]overlay=x=1280:y='240+200*sin(t*0.7)'[half];" +
    "[half][automaton]overlay=x='150+100*sin(t*0.9)':y=500," +
    `drawtext=fontfile=${DEMO_FONT_FILE}:text='${TICKER}':fontsize=40:fontcolor=white:borderw=2:` +
    "x='w-mod(t*180\\,w+tw)':y=h-80," +
    "noise=alls=2:allf=t:all_seed=7," +
    "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv";
  return [fractal, zonePlate, automaton, composition].join(";");
}

/** Two notes a second from a pentatonic scale (five fifths folded into one octave), and a beep at each full second. */
function melody(): string {
  const semitones = "mod(7*mod(floor(2*t)\\,5)\\,12)";
  const note = `0.12*sin(2*PI*t*220*pow(2\\,${semitones}/12))*exp(-4*mod(t\\,0.5))`;
  const beep = "0.1*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.04)";
  return `aevalsrc='${note}+${beep}':sample_rate=48000:channel_layout=stereo`;
}

/** Time code (hours:minutes:seconds:frames), rung and bit rate, drawn after scaling: sharp in every rung. */
function burntInLabel(rendition: Rendition): string {
  const kilobits = Math.round(rendition.videoBitsPerSecond / 1000);
  const style = `fontfile=${DEMO_FONT_FILE}:x=h/16:box=1:boxcolor=black@0.6:boxborderw=h/90`;
  return (
    `drawtext=${style}:y=h/16:fontsize=h/9:fontcolor=white:timecode='00\\:00\\:00\\:00':r=${FRAMES_PER_SECOND},` +
    `drawtext=${style}:y=h*5/24:fontsize=h/14:fontcolor=yellow:text='${rendition.height}p  ${kilobits} kbit/s'`
  );
}
