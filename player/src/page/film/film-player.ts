import type { MediaPlayerClass, MediaType } from "dashjs";
import type { DashjsModule } from "../../dash/dashjs-internals.ts";
import { holdRung, letRulesChoose, type Rung, rungsOf } from "../../dash/film-quality.ts";
import { currentSound, type Track, takeCaptions, takeSound, tracksOf } from "../../dash/film-tracks.ts";
import type { SegmentRecord } from "../../dash/play-log.ts";
import { clockSettings, pinnedSettings } from "../../dash/player-settings.ts";
import { prepareSegment } from "../../dash/prepare-segment.ts";
import { RuleFault } from "../../dash/rule-fault.ts";
import type { NuwaAttachment, PreparedNuwa } from "../../library/nuwa-api.ts";
import { pageUrl } from "../../options/page-url.ts";
import type { Wishes } from "../query/wishes.ts";
import { type CaptionInfo, nameCaptions } from "./caption-names.ts";
import type { EncoderRun } from "./encoder-run.ts";
import { play } from "./go-on.ts";
import {
  errorSentence,
  type Impediment,
  impedimentOf,
  isOfBrowser,
  type ParsedManifest,
  type PlayerError,
} from "./refusals/why-not-played.ts";

export interface FilmPlayerOptions {
  readonly dashjs: DashjsModule;
  readonly video: HTMLVideoElement;
  /** Absolute. */
  readonly manifestUrl: string;
  /** Whether a segment has to be asked for by HEAD before the media server has it. */
  readonly isPrepared: boolean;
  readonly nuwa: PreparedNuwa;
  /** Where to begin; null for the beginning. */
  readonly startSeconds: number | null;
  readonly autoplay: boolean;
  /** Where the player stops fetching; null for dash.js's own. */
  readonly bufferTargetSeconds: number | null;
  readonly wishes: Wishes;
  /** One sentence; the film cannot go on, and where it is the browser's fault another try is of no use. */
  readonly onError: (message: string, isOfBrowser?: boolean) => void;
  /** As soon as it is read, and at each reading. */
  readonly onManifest: (manifest: { readonly isLive: boolean }) => void;
  /** A live film's encoder was started again: the place where this player is will not be there any more. */
  readonly onOtherRun: () => void;
  /** Knows the runs that the film's players have seen. */
  readonly run: EncoderRun;
  /** What of the film this browser cannot play, as soon as the manifest is read. */
  readonly onImpediment: (impediment: Impediment) => void;
  /** The browser wants a gesture, or silence, before it plays. */
  readonly onAutoplayRefused: () => void;
}

/** One dash.js player for one film, with the settings that make runs comparable and the library attached. */
export class FilmPlayer {
  readonly attachment: NuwaAttachment;
  readonly #options: FilmPlayerOptions;
  readonly #player: MediaPlayerClass;
  #wishes: Wishes;
  #isClosed = false;

  constructor(options: FilmPlayerOptions) {
    this.#options = options;
    const { dashjs, nuwa, video, manifestUrl, autoplay, startSeconds } = options;
    this.#player = dashjs.MediaPlayer().create();
    this.#wishes = options.wishes;
    this.#player.updateSettings(pinnedSettings(options.bufferTargetSeconds));
    this.#player.updateSettings(clockSettings(pageUrl("time", "/api/time")));
    nameCaptions(video, () => this.#player.getTracksFor("text") as unknown as CaptionInfo[]);
    this.#player.updateSettings({ streaming: { text: { defaultEnabled: false } } });
    if (options.isPrepared) {
      this.#player.addRequestInterceptor(prepareSegment);
    }
    this.attachment = nuwa.attach(this.#player);
    this.#listen();
    this.#player.initialize(video, manifestUrl, autoplay, startSeconds ?? undefined);
  }

  bufferSeconds(type: MediaType = "video"): number {
    const seconds = this.#player.isReady() ? this.#player.getBufferLength(type) : Number.NaN;
    return Number.isNaN(seconds) ? 0 : seconds;
  }

  /** What is on the screen; null between segments and before the first. */
  shownSegment(): SegmentRecord | null {
    return this.attachment.segmentAt(this.#options.video.currentTime);
  }

  rungs(): Rung[] {
    return this.#isClosed ? [] : rungsOf(this.#player);
  }

  captions(): Track[] {
    return this.#isClosed ? [] : tracksOf(this.#player, "text");
  }

  sounds(): { readonly tracks: readonly Track[]; readonly current: string | null } {
    return this.#isClosed
      ? { tracks: [], current: null }
      : { tracks: tracksOf(this.#player, "audio"), current: currentSound(this.#player) };
  }

  /** Shows the film otherwise, in the same player. */
  wish(wishes: Wishes): void {
    const before = this.#wishes;
    this.#wishes = wishes;
    if (this.#isClosed) {
      return;
    }
    if (wishes.qualityKilobitsPerSecond !== before.qualityKilobitsPerSecond) {
      holdRung(this.#player, bitsOf(wishes));
    }
    if (wishes.captions !== before.captions) {
      takeCaptions(this.#player, wishes.captions);
    }
    if (wishes.sound !== null && wishes.sound !== before.sound) {
      takeSound(this.#player, wishes.sound);
    }
  }

  close(): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    this.attachment.detach();
    this.#player.destroy();
  }

  /** dash.js would play on at the lowest rung, and what plays is no failure. */
  #giveUp({ message }: RuleFault): void {
    if (!this.#isClosed) {
      this.#options.onError(message); // first, while there is a place to remember
      this.close();
    }
  }

  #leaveRun(): void {
    if (!this.#isClosed) {
      this.#options.onOtherRun();
    }
  }

  #beginAgain(): void {
    const { video, onError } = this.#options;
    if (!this.#wishes.loops || this.#isClosed) {
      return;
    }
    this.#player.seek(0);
    play(video).catch((error: unknown) => onError(`The film does not begin again: ${String(error)}.`));
  }

  /** Once there is something to choose from; anew in each period. */
  #takeWishes(): void {
    const { captions, sound } = this.#wishes;
    if (this.#wishes.qualityKilobitsPerSecond !== null) {
      holdRung(this.#player, bitsOf(this.#wishes));
    }
    if (captions !== null) {
      takeCaptions(this.#player, captions);
    }
    if (sound !== null) {
      takeSound(this.#player, sound);
    }
  }

  #listen(): void {
    letRulesChoose(this.#player, this.#wishes.qualityKilobitsPerSecond === null);
    this.#player.on("streamInitialized", () => this.#takeWishes());
    // Not the element's own loop: dash.js may pause it just before its end, and then tells this all the same.
    this.#player.on("playbackEnded", () => this.#beginAgain());
    this.#player.on("playbackNotAllowed", this.#options.onAutoplayRefused);
    this.#player.on("manifestLoaded", (event) => {
      const manifest = (event as { data?: ParsedManifest | null }).data;
      if (manifest == null) {
        return;
      }
      if (this.#options.run.isAnother(manifest)) {
        setTimeout(() => this.#leaveRun()); // not within dash.js's own event
        return;
      }
      this.#options.onManifest({ isLive: manifest.type === "dynamic" });
      const impediment = impedimentOf(manifest, typesOfBrowser());
      if (impediment !== null) {
        this.#options.onImpediment(impediment);
        if (impediment.isFatal) {
          setTimeout(() => this.close()); // not within dash.js's own event
        }
      }
    });
    this.#player.on("error", (event) => {
      const { error } = event as { error: string | PlayerError | RuleFault };
      if (error instanceof RuleFault) {
        console.error(error); // with where it was thrown
        setTimeout(() => this.#giveUp(error)); // not within dash.js's own event
        return;
      }
      const told = typeof error === "string" ? { message: error } : error;
      const { pathname } = new URL(this.#options.manifestUrl);
      const sentence = errorSentence(told, pathname, statusOf(told));
      if (sentence !== null) {
        this.#options.onError(sentence, isOfBrowser(told));
      }
    });
  }
}

function typesOfBrowser(): ((type: string) => boolean) | null {
  const { MediaSource, ManagedMediaSource } = globalThis as {
    MediaSource?: typeof globalThis.MediaSource;
    ManagedMediaSource?: typeof globalThis.MediaSource; // Safari's on phones
  };
  const source = MediaSource ?? ManagedMediaSource;
  return source === undefined ? null : (type) => source.isTypeSupported(type);
}

/** HTTP's, where dash.js tells it. */
function statusOf({ data }: PlayerError): number | null {
  const { response } = (data ?? {}) as { response?: { status?: number } };
  return response?.status ?? null;
}

const bitsOf = ({ qualityKilobitsPerSecond }: Wishes): number | null =>
  qualityKilobitsPerSecond === null ? null : 1000 * qualityKilobitsPerSecond;
