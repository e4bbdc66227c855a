import type { Feedback, Need, ReceiverScheme, Stamp } from "../../../../cc/receiver/receiver-scheme.ts";
import type { NetworkEstimate } from "../network-estimate.ts";
import type { PolicyReport } from "../policy/policy-report.ts";
import type { SetTimer } from "../set-timer.ts";
import { encodePing, isPong } from "../wire/heartbeat.ts";
import { MalformedMessage } from "../wire/malformed-message.ts";
import type { ResponseHead, SegmentRequest } from "../wire/request-line.ts";
import { decodeStamp } from "../wire/stamp.ts";
import { ClockFaultDetector, LATE_MS } from "./clock-fault-detector.ts";
import { DeliveredRate } from "./delivered-rate.ts";
import { FeedbackSender } from "./feedback-sender.ts";
import { Heartbeat } from "./heartbeat.ts";
import { HostLateness, type Woken } from "./host-lateness.ts";
import { networkEstimate, type ReceivedStamp } from "./measurements.ts";
import { Pauses } from "./pauses.ts";
import { feedbackIntervalMs, SchemeInMs } from "./scheme-in-ms.ts";
import { type Download, downloadSegment } from "./segment-download.ts";
import { StampGaps } from "./stamp-gaps.ts";
import { raiseDatagramQueue, type TransportSession } from "./transport-session.ts";

export interface ReceiverSessionOptions {
  readonly transport: TransportSession;
  readonly scheme: ReceiverScheme;
  /** ms on a monotonic clock. */
  readonly nowMs: () => number;
  /** ms of the epoch, on a clock that can be set. */
  readonly wallMs: () => number;
  /** Epoch time at `nowMs() === 0`. */
  readonly timeOriginMs: number;
  readonly setTimer: SetTimer;
  /** Nobody records stamps where it is left out. */
  readonly onStamp?: ((received: ReceivedStamp) => void) | undefined;
  /** The server gives no sign of life, or does again. */
  readonly onSilence: (isSilent: boolean) => void;
  /** The scheme, if it is a learned one; it tells how it fares with its policy. */
  readonly learned?: { report(): PolicyReport } | null;
}

/** How often `tick` is to be called. */
export const TICK_MS = 100;

export interface SessionRequest {
  readonly request: SegmentRequest;
  readonly signal: AbortSignal;
  readonly discardBody: boolean;
  readonly onHead: (head: ResponseHead) => void;
  readonly onProgress: (loadedBytes: number) => void;
}

/** One WebTransport session: stamps in, feedback out, segments on request. Runs in the worker; all times are ms. */
export class ReceiverSession {
  readonly #options: ReceiverSessionOptions;
  readonly #scheme: SchemeInMs;
  readonly #feedbackSender: FeedbackSender;
  readonly #gaps = new StampGaps();
  readonly #deliveredRate = new DeliveredRate();
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #heartbeat: Heartbeat;
  readonly #pauses: Pauses;
  readonly #lateness: HostLateness;
  #ticked: Woken = () => undefined;
  readonly #clocks = new ClockFaultDetector(TICK_MS);
  #tickedMs: number;
  #isPinging = false;
  #newestStamp: Stamp | null = null;
  #newestFeedback: Feedback | null = null;
  #malformedDatagrams = 0;
  #openRequests = 0;
  /** When bytes arrived last, or the first of the open requests was made. */
  #heardMs = 0;

  constructor(options: ReceiverSessionOptions) {
    this.#options = options;
    this.#scheme = new SchemeInMs(options.scheme);
    this.#tickedMs = options.nowMs();
    this.#lateness = new HostLateness(options.nowMs, options.setTimer);
    const { setTimer } = this.#lateness;
    this.#pauses = new Pauses(options.nowMs, setTimer);
    raiseDatagramQueue(options.transport.datagrams);
    this.#writer = options.transport.datagrams.writable.getWriter();
    this.#heartbeat = new Heartbeat(
      { sendPing: (sequence) => this.#sendPing(sequence), onSilence: options.onSilence },
      options.nowMs(),
    );
    this.#feedbackSender = new FeedbackSender({
      scheme: this.#scheme,
      writer: this.#writer,
      nowMs: options.nowMs,
      setTimer,
      onSent: (feedback) => {
        this.#newestFeedback = feedback;
      },
    });
  }

  /**
   * Reads datagrams until the session ends; a read is always pending. Rejects only with what was thrown over a datagram
   * or its feedback: a bug, for which the session must not go on uncontrolled.
   */
  async readDatagrams(): Promise<void> {
    try {
      await Promise.race([this.#pumpDatagrams(), this.#feedbackSender.failure]);
    } finally {
      this.#feedbackSender.close();
    }
  }

  /** Fetches one segment. Throws as `downloadSegment`. */
  async download({ request, signal, discardBody, onHead, onProgress }: SessionRequest): Promise<Download> {
    this.#changeOpenRequests(+1);
    try {
      return await downloadSegment({
        transport: this.#options.transport,
        request,
        signal,
        discardBody,
        onHead,
        onProgress,
        nowMs: this.#options.nowMs,
        pause: (durationMs, slackMs) => this.#pauses.pause(durationMs, slackMs),
        onBytes: (bytes) => {
          this.#heardMs = this.#options.nowMs();
          this.#heartbeat.heard(this.#heardMs);
          this.#deliveredRate.onBytes(bytes, this.#heardMs);
        },
      });
    } finally {
      this.#changeOpenRequests(-1);
    }
  }

  /** Listens for the server and watches the clocks. Called every TICK_MS while the session is open. */
  tick(): void {
    const nowMs = this.#options.nowMs();
    this.#tickedMs = nowMs;
    this.#ticked(nowMs);
    this.#ticked = this.#lateness.expect(nowMs + TICK_MS);
    if (this.#clocks.isFault(nowMs, this.#options.wallMs())) {
      // What was measured across the fault would be taken for queueing; feedback goes on with what is left.
      this.#scheme.startEpoch(nowMs);
      this.#heartbeat.restart(nowMs);
    }
    this.#heartbeat.tick(nowMs);
  }

  /** Asks the server for a sign of life at once. */
  probe(): void {
    this.#heartbeat.ping(this.#options.nowMs());
  }

  /** Throws RangeError for a need that makes no sense. */
  onNeed(need: Need): void {
    this.#scheme.onNeed(need, this.#options.nowMs());
  }

  estimate(): NetworkEstimate {
    const nowMs = this.#options.nowMs();
    return networkEstimate({
      atMs: this.#options.timeOriginMs + nowMs,
      state: this.#scheme.state(nowMs),
      newestStamp: this.#newestStamp,
      deliveredBitsPerSecond: this.#deliveredRate.bitsPerSecond(nowMs),
      silenceMs: this.#openRequests === 0 ? 0 : nowMs - this.#heardMs,
      gaps: this.#gaps,
      malformedDatagrams: this.#malformedDatagrams,
      hostLateMs: this.#lateness.recentMs(nowMs),
      policy: this.#options.learned?.report() ?? null,
    });
  }

  close(): void {
    this.#feedbackSender.close();
    this.#options.transport.close({ closeCode: 0, reason: "over" });
  }

  async #pumpDatagrams(): Promise<void> {
    const reader = this.#options.transport.datagrams.readable.getReader();
    const overAs = { value: undefined, done: true } as const;
    for (;;) {
      // The stream breaks with the session, whose `closed` says why.
      const { value, done } = await reader.read().catch(() => overAs);
      if (done) {
        return;
      }
      const receivedMs = this.#options.nowMs();
      this.#onDatagram(value, receivedMs, this.#lateness.awakeMs(receivedMs));
      this.#pauses.awake(receivedMs);
    }
  }

  /** While the network does not take one ping no other is queued. */
  #sendPing(sequence: number): void {
    if (this.#isPinging) {
      return;
    }
    this.#isPinging = true;
    const written = (): void => {
      this.#isPinging = false;
    };
    // One that cannot be written means that the session is over, which `closed` reports.
    this.#writer.write(encodePing(sequence)).then(written, written);
  }

  #onDatagram(bytes: Uint8Array, receivedMs: number, lateMs: number): void {
    if (receivedMs - this.#tickedMs > TICK_MS + LATE_MS) {
      this.tick(); // what waited while the worker was frozen comes before the timer
    }
    this.#heartbeat.heard(receivedMs);
    if (isPong(bytes)) {
      return;
    }
    let stamp: Stamp;
    try {
      stamp = decodeStamp(bytes);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) {
        throw error;
      }
      this.#malformedDatagrams += 1;
      return;
    }
    this.#onStamp(stamp, receivedMs, lateMs);
  }

  #onStamp(stamp: Stamp, receivedMs: number, lateMs: number): void {
    const isNewest = this.#gaps.onSequence(stamp.sequence);
    this.#scheme.onStamp(stamp, receivedMs, lateMs);
    if (isNewest) {
      this.#newestStamp = stamp;
      this.#feedbackSender.onStamp(feedbackIntervalMs(stamp));
    }
    this.#options.onStamp?.({
      stamp,
      receivedAtMs: this.#options.timeOriginMs + receivedMs,
      lateMs,
      state: this.#scheme.state(receivedMs),
      endSlowStart: this.#newestFeedback?.endSlowStart ?? false,
    });
  }

  #changeOpenRequests(change: 1 | -1): void {
    if (this.#openRequests === 0) {
      this.#heardMs = this.#options.nowMs();
    }
    this.#openRequests += change;
    this.#scheme.expectData(this.#openRequests > 0);
  }
}
