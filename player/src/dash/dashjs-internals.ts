/**
 * The parts of dash.js 5.2.1 that its own declarations leave out or get wrong, as its sources use them: what a
 * replacement of XHRLoader is called with, and what a rule sees.
 */

import type { MediaPlayerClass, Representation } from "dashjs";

/** vo/FragmentRequest.js. */
export interface FragmentRequest {
  /** "MediaSegment", "InitializationSegment", "MPD", ... */
  readonly type: string;
  readonly mediaType: string | null;
  readonly index: number;
  /** Seconds on the presentation's timeline; NaN for an initialization segment. */
  readonly startTime: number;
  readonly duration: number;
  readonly representation: Representation | null;
  /** `first-last`, both inclusive. */
  readonly range: string | null;
  readonly bytesLoaded: number;
  readonly bytesTotal: number;
  firstByteDate: Date | null;
  /** When it was asked for. dash.js says so only at its end; a segment's loader from the beginning. */
  startDate?: Date | null;
  /** HTTPLoader's own list of progress reports from the first on: its throughput sample is made of it. ms since the one before. */
  readonly traces: { readonly d: number }[];
}

/** What HTTPLoader's onprogress reads. */
export interface LoaderProgress {
  readonly lengthComputable: boolean;
  readonly loaded: number;
  readonly total: number;
  /** ms since the progress before; without it dash.js takes the time at which it was told. */
  readonly time?: number;
  /** Not a throughput sample. */
  readonly noTrace?: boolean;
}

export interface LoaderCallbacks {
  readonly request: FragmentRequest;
  /** HTTPLoader.abort() takes this and `onprogress` away before it calls `abort`. */
  onloadend?: ((event?: ProgressEvent) => void) | undefined;
  onprogress?: ((progress: LoaderProgress) => void) | undefined;
  onabort?: (() => void) | undefined;
  ontimeout?: ((progress: LoaderProgress) => void) | undefined;
  /** Filled in by the loader. */
  abort?: () => void;
}

/** vo/CommonMediaRequest.js. */
export interface CommonMediaRequest {
  readonly url: string;
  readonly method: string;
  readonly responseType: XMLHttpRequestResponseType;
  readonly headers: Record<string, string>;
  readonly credentials: string;
  /** ms; 0 for none. */
  readonly timeout: number;
  readonly body: XMLHttpRequestBodyInit | null;
  readonly customData: LoaderCallbacks;
}

/** vo/CommonMediaResponse.js: filled in by the loader. */
export interface CommonMediaResponse {
  url: string;
  status: number;
  statusText: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  data: unknown;
}

/** What ManifestLoader adds to a manifest. */
export interface LoadedManifest {
  /** Absolute; undefined of a manifest that the page made itself. */
  readonly url?: string;
}

/** What HTTPLoader expects of an XHRLoader. */
export interface SegmentLoader {
  load(request: CommonMediaRequest, response: CommonMediaResponse): boolean;
  abort(): void;
  reset(): void;
  resetInitialSettings(): void;
}

/** controllers/ThroughputController.js; kbit/s, NaN where nothing is known. */
export interface ThroughputController {
  getAverageThroughput: (mediaType: string, calculationMode?: string | null, sampleSize?: number) => number;
  getSafeAverageThroughput: (
    mediaType: string,
    calculationMode?: string | null,
    sampleSize?: number,
  ) => number;
}

/** rules/abr/ABRRulesCollection.js, as an extension uses it. */
export interface RulesCollection {
  getBestPossibleSwitchRequest(context: RulesContext): SwitchRequest | undefined;
  shouldAbandonFragment(context: RulesContext): SwitchRequest | undefined;
  setBolaState(mediaType: string, isBolaUsed: boolean): void;
}

/** controllers/AbrController.js, as a rule uses it. */
export interface AbrController {
  getPossibleVoRepresentationsFilteredBySettings(
    mediaInfo: unknown,
    includeCompatible: boolean,
  ): Representation[];
}

/** rules/RulesContext.js. */
export interface RulesContext {
  getThroughputController(): ThroughputController;
  getAbrController(): AbrController;
  getCurrentRequest(): FragmentRequest;
  getMediaInfo(): unknown;
  getMediaType(): string;
  getRepresentation(): Representation | null;
}

/** rules/SwitchRequest.js; a null representation changes nothing. */
export interface SwitchRequest {
  readonly representation: Representation | null;
  readonly reason: object | null;
  /** null where no rule asks for a change. */
  readonly rule: string | null;
  readonly priority: number;
}

/** SwitchRequest.PRIORITY.STRONG: overrides every rule of dash.js. */
export const STRONG_PRIORITY = 1;

/** models/CustomParametersModel.js: the very list that every request goes through. */
export interface CustomParametersModel {
  getRequestInterceptors(): ((
    request: CommonMediaRequest,
  ) => CommonMediaRequest | Promise<CommonMediaRequest>)[];
}

/** core/FactoryMaker.js: what an extension is called on. */
export interface ExtensionScope {
  readonly context: object;
  readonly factory: {
    getSingletonInstance(context: object, name: "CustomParametersModel"): CustomParametersModel | null;
  };
}

/** The module's namespace, as far as the player uses it. */
export interface DashjsModule {
  MediaPlayer(): { create(): MediaPlayerClass };
}
