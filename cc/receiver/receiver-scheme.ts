/**
 * What a receiver's half of a scheme is told, and what it answers (the twin of cc/core/receiver_base.py).
 *
 * Times are seconds, sizes bytes of UDP payload. `sendTimeSeconds` runs on the sender's clock and the received time on
 * the receiver's: only differences of each mean anything.
 */

/** The smallest window, in packets (RFC 9002 section 7.2). */
export const MINIMUM_WINDOW_PACKETS = 2;

/** Where a sender is; the numbers are those of the stamp's flags (transport/wire_format/PROTOCOL.md). */
export const PHASE = { slowStart: 0, avoidance: 1, recovery: 2 } as const;
export type Phase = (typeof PHASE)[keyof typeof PHASE];

/** Leads a flight: what the sender had sent, and where it stood, when the flight left. */
export interface Stamp {
  /** The wire counts stamps and packets in 32 bits (wrapping-count.ts). */
  readonly sequence: number;
  /** Changes whenever the sender sets or cuts its window itself. */
  readonly epoch: number;
  readonly phase: Phase;
  readonly sendTimeSeconds: number;
  /** Bytes of flight-counted packets sent before this flight. */
  readonly bytesSent: number;
  readonly packetsSent: number;
  /** null until an RTT was measured; so is `minRttSeconds`. */
  readonly smoothedRttSeconds: number | null;
  readonly minRttSeconds: number | null;
  readonly cwndBytes: number;
  readonly maxDatagramBytes: number;
  readonly isAppLimited: boolean;
}

/** The window a receiver asks for and what it measured; a later one replaces an earlier one. */
export interface Feedback {
  readonly sequence: number;
  /** Epoch of the last stamp seen. */
  readonly epoch: number;
  readonly lastStampSequence: number;
  readonly windowBytes: number;
  readonly endSlowStart: boolean;
  readonly bandwidthBitsPerSecond: number;
  readonly queueingDelaySeconds: number;
  /** null where the scheme has no such thing; so is `targetDelaySeconds`. */
  readonly k: number | null;
  /** The queueing delay that the window aims at. */
  readonly targetDelaySeconds: number | null;
}

/** What a player needs of the network, told a few times a second; a later one replaces an earlier one. */
export interface Need {
  /** Of the highest rung that it would play, with sound, at its playback rate; null: as much as there is. */
  readonly rateBytesPerSecond: number | null;
  /** How long it can play without another byte. */
  readonly bufferSeconds: number;
  /** With how much it stops fetching. */
  readonly fullBufferSeconds: number;
}

/** What a receiver knows at a moment, for adaptation, charts and records; null where it knows nothing yet. */
export interface ReceiverState {
  readonly rawQueueingDelaySeconds: number;
  readonly queueingDelaySeconds: number;
  readonly bandwidthBitsPerSecond: number | null;
  readonly deliveredBitsPerSecond: number | null;
  /** null for an observer of a sender-side scheme. */
  readonly windowBytes: number | null;
  readonly k: number | null;
  readonly targetDelaySeconds: number | null;
  /** What a player's need lets the window carry; null where it is told none, or wants all there is. */
  readonly wantedBitsPerSecond: number | null;
  /** Whether the window is held to that, or was just now: the bandwidth is then at least what was measured. */
  readonly isHeld: boolean;
}

/** The receiver's half of a scheme, pure like the sender's half. */
export interface ReceiverScheme {
  /**
   * The first packet of a flight arrived with its stamp. Where the host notices arrivals late, it arrived at most
   * `lateSeconds` before the received time.
   */
  onStamp(stamp: Stamp, receivedTimeSeconds: number, lateSeconds?: number): void;
  /** Whether requests are open: only then does silence say anything about the link. */
  expectData(isExpecting: boolean): void;
  /** What the player needs; a scheme that does not go by it ignores it. Throws RangeError for one that makes no sense. */
  onNeed(need: Need, nowSeconds: number): void;
  /**
   * The receiver's clock stepped, slept or stood still: forget what is relative to the clocks. The bandwidth stays known,
   * and the next stamp gives the window. Steps that nobody tells of are found out by the schemes themselves.
   */
  startEpoch(nowSeconds: number): void;
  /** The window to ask for now; null where there is nothing new to say. Asked at most as often as `feedbackIntervalSeconds` has it. */
  feedback(nowSeconds: number): Feedback | null;
  /** The measurements at `nowSeconds`. */
  state(nowSeconds: number): ReceiverState;
}
