import { followSignals } from "./follow-signals.ts";
import { Unanswered } from "./nobody-behind.ts";
import type { PathChooser, Way } from "./path-chooser.ts";
import type { Progress } from "./progress.ts";
import { RequestFailed, SessionLost } from "./session-errors.ts";
import { unlessAborted } from "./unless-aborted.ts";
import type { ByteRange } from "./wire/request-line.ts";
import type { FetchResponse } from "./worker-session.ts";

/** What the ways' end needs of a request, whoever plays. */
export interface SegmentFetch<Answer> {
  /** Relative to the served directory; null where the media server of the open session turns out to serve another. */
  readonly path: () => string | null;
  readonly range: ByteRange | null;
  /** 0 is sent first (transport/wire_format/PROTOCOL.md). */
  readonly priority?: number | undefined;
  readonly signal: AbortSignal;
  /** An attempt begins: what came of the one before is void. */
  readonly onAttempt: () => void;
  readonly onAttemptOver?: () => void;
  /** The media server lacks it, and the web server is asked. */
  readonly onMissing: () => void;
  readonly onProgress: (progress: Progress) => void;
  /** Over the session, whatever its status. */
  readonly fromSession: (response: FetchResponse) => Answer;
  /** One attempt over HTTP. The last always has an answer, or throws. */
  readonly overHttp: (isLast: boolean) => Promise<Answer | Unanswered>;
}

export interface SegmentFetchOptions {
  readonly paths: Pick<PathChooser, "next" | "changed" | "mayAskHttp">;
  readonly nowMs: () => number;
  /** Told about every failure; the player hears only of those that no other way mends. */
  readonly onFailure: (error: unknown) => void;
}

/** So long a request outlives failures of the network before the player hears of them; an outage of minutes is survived. */
const PATIENCE_MS = 300_000;
/** Between two attempts over HTTP while nobody answers. */
const HTTP_RETRY_MS = [500, 1000, 2000] as const;
/** A request that failed so often while its session lived is the player's to retry. */
const FAILURES_PER_REQUEST = 2;
const NOT_FOUND = 404;

type WebTransportWay = Extract<Way, { kind: "webtransport" }>;
type Outcome<Answer> =
  | { readonly answer: Answer; readonly isMissing: boolean }
  | "again"
  | "without this session";

/**
 * Fetches one segment over as many ways as it takes: the session, the next one, HTTP.
 *
 * Rejects with the signal's reason, and with the error of a request that failed twice on a session that lives.
 */
export function fetchSegment<Answer>(
  options: SegmentFetchOptions,
  segment: SegmentFetch<Answer>,
): Promise<Answer> {
  return new SegmentAttempts(options, segment).untilAnswered();
}

class SegmentAttempts<Answer> {
  readonly #options: SegmentFetchOptions;
  readonly #segment: SegmentFetch<Answer>;
  readonly #startedMs: number;
  #failures = 0;
  #httpFailures = 0;

  constructor(options: SegmentFetchOptions, segment: SegmentFetch<Answer>) {
    this.#options = options;
    this.#segment = segment;
    this.#startedMs = options.nowMs();
  }

  async untilAnswered(): Promise<Answer> {
    const { paths } = this.#options;
    let lost: WebTransportWay["session"] | null = null;
    for (;;) {
      const way = await paths.next(this.#segment.signal, lost);
      lost = null;
      const path = this.#segment.path();
      const outcome = await (way.kind === "http" || path === null
        ? this.#overHttp()
        : this.#overSession(way, path));
      if (typeof outcome === "object") {
        const { answer, isMissing } = outcome;
        // The web server may have what the media server has not, or not yet.
        return isMissing && paths.mayAskHttp ? this.#overHttpOr(answer) : answer;
      }
      if (way.kind === "webtransport" && outcome === "without this session") {
        lost = way.session;
      }
    }
  }

  async #overSession({ session, left }: WebTransportWay, path: string): Promise<Outcome<Answer>> {
    const { range, priority, signal: wanted, onProgress, fromSession } = this.#segment;
    const cancel = new AbortController();
    const { signal } = cancel;
    const endFollowing = followSignals(cancel, wanted, left);
    this.#segment.onAttempt();
    try {
      const response = session.request({
        path,
        range: range ?? undefined,
        priority,
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) {
            onProgress(progress);
          }
        },
      });
      // A worker that is dead does not confirm that it has cancelled.
      const answered = await unlessAborted(response, signal);
      return { answer: fromSession(answered), isMissing: answered.head.status === NOT_FOUND };
    } catch (error) {
      wanted.throwIfAborted();
      return this.#afterFailure(error, left);
    } finally {
      endFollowing();
      this.#segment.onAttemptOver?.();
    }
  }

  #afterFailure(error: unknown, left: AbortSignal): Outcome<Answer> {
    if (left.aborted) {
      return "again";
    }
    if (error instanceof SessionLost) {
      return "without this session";
    }
    this.#failures += 1;
    // Streams may break off a moment before the session that they belong to.
    if (error instanceof RequestFailed && this.#failures < FAILURES_PER_REQUEST) {
      this.#options.onFailure(error);
      return "again";
    }
    throw error;
  }

  async #overHttp(): Promise<Outcome<Answer>> {
    const { paths, nowMs } = this.#options;
    const answer = await this.#askHttp(nowMs() - this.#startedMs >= PATIENCE_MS);
    if (!(answer instanceof Unanswered)) {
      return { answer, isMissing: false };
    }
    this.#httpFailures += 1;
    const waitMs = HTTP_RETRY_MS[Math.min(this.#httpFailures, HTTP_RETRY_MS.length) - 1] ?? 0;
    await paths.changed(this.#segment.signal, Math.max(waitMs, answer.afterMs));
    return "again";
  }

  async #overHttpOr(other: Answer): Promise<Answer> {
    this.#segment.onMissing();
    const answer = await this.#askHttp(false);
    return answer instanceof Unanswered ? other : answer;
  }

  async #askHttp(isLast: boolean): Promise<Answer | Unanswered> {
    this.#segment.onAttempt();
    try {
      return await this.#segment.overHttp(isLast);
    } finally {
      this.#segment.onAttemptOver?.();
    }
  }
}
