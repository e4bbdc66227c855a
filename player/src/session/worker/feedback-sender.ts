import type { Feedback } from "../../../../cc/receiver/receiver-scheme.ts";
import type { SetTimer } from "../set-timer.ts";
import { encodeFeedback } from "../wire/feedback.ts";
import type { SchemeInMs } from "./scheme-in-ms.ts";

interface FeedbackSenderOptions {
  readonly scheme: Pick<SchemeInMs, "feedback">;
  readonly writer: Pick<WritableStreamDefaultWriter<Uint8Array>, "write">;
  /** Monotonic clock. */
  readonly nowMs: () => number;
  readonly setTimer: SetTimer;
  readonly onSent?: (feedback: Feedback) => void;
}

/**
 * Sends the scheme's newest feedback, no sooner than an interval after the last (PROTOCOL.md, "Feedback"). While the network
 * does not take a datagram none is queued: only the newest is worth sending.
 */
export class FeedbackSender {
  /** Never resolves; rejects with what the scheme threw when it was asked after a write or by the timer. */
  readonly failure: Promise<never>;
  readonly #options: FeedbackSenderOptions;
  #lastSentMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;
  #isWriting = false;
  #isDue = false;
  #isClosed = false;
  #fail: (error: unknown) => void = () => undefined;

  constructor(options: FeedbackSenderOptions) {
    this.#options = options;
    this.failure = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
  }

  /** A stamp was taken into account; the interval is that from the last feedback to the next. */
  onStamp(intervalMs: number): void {
    if (this.#isClosed) {
      return;
    }
    const elapsedMs = this.#options.nowMs() - this.#lastSentMs;
    if (elapsedMs >= intervalMs) {
      this.#send();
    } else if (this.#cancelTimer === null) {
      const delayMs = intervalMs - elapsedMs;
      this.#cancelTimer = this.#options.setTimer(() => this.#sendLater(), delayMs);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  #send(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#isClosed) {
      return;
    }
    if (this.#isWriting) {
      this.#isDue = true;
      return;
    }
    const nowMs = this.#options.nowMs();
    const feedback = this.#options.scheme.feedback(nowMs);
    if (feedback === null) {
      return;
    }
    this.#lastSentMs = nowMs;
    this.#isWriting = true;
    this.#options.onSent?.(feedback);
    this.#options.writer.write(encodeFeedback(feedback)).then(
      () => this.#onWritten(),
      // A datagram that cannot be written means that the session is over, which `closed` reports.
      () => this.close(),
    );
  }

  #onWritten(): void {
    this.#isWriting = false;
    if (this.#isDue) {
      this.#isDue = false;
      this.#sendLater();
    }
  }

  /** Sends where no caller would hear of what the scheme throws. */
  #sendLater(): void {
    try {
      this.#send();
    } catch (error) {
      this.#fail(error);
    }
  }
}
