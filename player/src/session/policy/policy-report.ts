/** How a scheme fares with its policy, in its present session. */
export interface PolicyReport {
  /** The scheme's name, and its policy's. */
  readonly scheme: string;
  readonly name: string;
  /** `failed`: it could not be loaded and will not be tried again. */
  readonly state: "loading" | "ready" | "failed";
  /** Why the scheme does without its policy, to go on behind a colon; null while nothing is wrong. */
  readonly trouble: string | null;
  /** More of the same for logs: sizes, hashes, what the browser said. */
  readonly detail: string | null;
  /** Whether the scheme goes by its heuristic now. */
  readonly usesHeuristic: boolean;
  readonly decided: number;
  /** Requests that were still open when the next interval ended. */
  readonly late: number;
  /** Requests that had no answer, or none that is an action. */
  readonly failed: number;
  /** From request to answer, of the newest thousand; null before the first. */
  readonly medianMs: number | null;
  readonly p99Ms: number | null;
}
