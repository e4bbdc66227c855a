interface Bucket {
  tokens: number;
  atMs: number;
}

export interface RateLimitOptions {
  readonly perSecond: number;
  /** What may come at once. */
  readonly burst: number;
  /** Keys remembered; the oldest is forgotten first. */
  readonly capacity: number;
  readonly nowMs: () => number;
}

/** A token bucket for each key. */
export class RateLimit<Key> {
  readonly #options: RateLimitOptions;
  readonly #buckets = new Map<Key, Bucket>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Takes so many; false, and takes none, where there are fewer. */
  take(key: Key, amount = 1): boolean {
    const { perSecond, burst, capacity } = this.#options;
    const nowMs = this.#options.nowMs();
    const { tokens, atMs } = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const filled = Math.min(burst, tokens + (Math.max(0, nowMs - atMs) / 1000) * perSecond);
    this.#buckets.delete(key); // and in again, as the newest
    this.#buckets.set(key, { tokens: filled >= amount ? filled - amount : filled, atMs: nowMs });
    if (this.#buckets.size > capacity) this.#forgetOldest();
    return filled >= amount;
  }

  #forgetOldest(): void {
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest);
      return;
    }
  }
}
