import type { MediaPlayerClass, MediaType } from "dashjs";
import type { DashjsModule } from "../dash/dashjs-internals.ts";
import type { SegmentRecord } from "../dash/play-log.ts";
import { pinnedSettings } from "../dash/player-settings.ts";
import { prepareSegment } from "../dash/prepare-segment.ts";
import type { NuwaAttachment, PreparedNuwa } from "../library/nuwa-api.ts";
import { type CaptionInfo, nameCaptions } from "./caption-names.ts";
import {
  errorSentence,
  type Impediment,
  impedimentOf,
  type ParsedManifest,
  type PlayerError,
} from "./why-not-played.ts";

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
  /** One sentence; the film cannot go on. */
  readonly onError: (message: string) => void;
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
  #isClosed = false;

  constructor(options: FilmPlayerOptions) {
    this.#options = options;
    const { dashjs, nuwa, video, manifestUrl, autoplay, startSeconds } = options;
    this.#player = dashjs.MediaPlayer().create();
    this.#player.updateSettings(pinnedSettings(options.bufferTargetSeconds));
    nameCaptions(video, () => this.#player.getTracksFor("text") as unknown as CaptionInfo[]);
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

  close(): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    this.attachment.detach();
    this.#player.destroy();
  }

  #listen(): void {
    this.#player.on("playbackNotAllowed", this.#options.onAutoplayRefused);
    this.#player.on("manifestLoaded", (event) => {
      const manifest = (event as { data?: ParsedManifest | null }).data;
      const impediment = manifest == null ? null : impedimentOf(manifest, typesOfBrowser());
      if (impediment !== null) {
        this.#options.onImpediment(impediment);
        if (impediment.isFatal) {
          setTimeout(() => this.close()); // not within dash.js's own event
        }
      }
    });
    this.#player.on("error", (event) => {
      const { error } = event as { error: string | PlayerError };
      const told = typeof error === "string" ? { message: error } : error;
      const { pathname } = new URL(this.#options.manifestUrl);
      this.#options.onError(errorSentence(told, pathname, statusOf(told)));
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
