/** What passes between the page and the receiver's worker. Times are ms of the epoch, with a fraction. */

import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import type { NetworkEstimate } from "./network-estimate.ts";
import type { PolicyFiles } from "./policy/policy-files.ts";
import type { SessionParameters } from "./session-url.ts";
import type { ResponseHead, SegmentRequest } from "./wire/request-line.ts";

export interface OpenOptions {
  /** `https://HOST:PORT` of the media server. */
  readonly serverUrl: string;
  /** base64 of the SHA-256 of the DER certificate. */
  readonly certificateHashes: readonly string[];
  /** Opens the session; null where the server asks for none. */
  readonly sessionToken: string | null;
  readonly parameters: SessionParameters;
  /** What the scheme asks if it is a learned one; null where no policies are to be had. */
  readonly policy: PolicyFiles | null;
}

export type ToWorker =
  | { readonly kind: "open"; readonly options: OpenOptions }
  | {
      readonly kind: "request";
      readonly id: number;
      readonly request: SegmentRequest;
      readonly discardBody: boolean;
    }
  | { readonly kind: "cancel"; readonly id: number }
  /** What the player needs of the network now. */
  | { readonly kind: "need"; readonly need: Need }
  /** Ask the server for a sign of life. */
  | { readonly kind: "probe" }
  | { readonly kind: "close" };

export type ClosedReason =
  | { readonly kind: "over" }
  /** It had nothing to do, and another needed its place. */
  | { readonly kind: "idle"; readonly reason: string }
  | { readonly kind: "refused"; readonly closeCode: number; readonly reason: string }
  | {
      readonly kind: "lost";
      readonly wasOpen: boolean;
      /** null where the server said none. */
      readonly closeCode: number | null;
      readonly reason: string;
    };

export type ToPage =
  /** Every TICK_MS until the session is open; then `measured` says the same. */
  | { readonly kind: "alive" }
  /** It may stand still for so long: it starts a policy's runtime, which a slow machine takes seconds for. */
  | { readonly kind: "busy"; readonly forMs: number }
  | { readonly kind: "ready" }
  /** The server gives no sign of life, or does again. */
  | { readonly kind: "silence"; readonly isSilent: boolean }
  | { readonly kind: "closed"; readonly why: ClosedReason }
  | {
      readonly kind: "progress";
      readonly id: number;
      readonly loadedBytes: number;
      readonly totalBytes: number;
      /** When the newest of these bytes reached the worker. */
      readonly atMs: number;
    }
  | {
      readonly kind: "done";
      readonly id: number;
      readonly head: ResponseHead;
      readonly body: ArrayBuffer | null;
      readonly bodyBytes: number;
      readonly endedAtMs: number;
    }
  | { readonly kind: "failed"; readonly id: number; readonly isCancelled: boolean; readonly reason: string }
  | {
      readonly kind: "measured";
      readonly estimate: NetworkEstimate;
      /** New stamps, packed by `packStamps`; none of a worker that records none. */
      readonly stamps: Float64Array<ArrayBuffer>;
    };
