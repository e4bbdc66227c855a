const WINDOW_MS = 1000; // long enough to smooth over chunks, short enough to show a cellular link's swings

/** Rate of the stream bytes that reached the worker during the last second. */
export class DeliveredRate {
  readonly #arrivals: { atMs: number; bytes: number }[] = [];
  #bytesInWindow = 0;

  onBytes(bytes: number, atMs: number): void {
    this.#arrivals.push({ atMs, bytes });
    this.#bytesInWindow += bytes;
    this.#forgetBefore(atMs - WINDOW_MS);
  }

  bitsPerSecond(atMs: number): number {
    this.#forgetBefore(atMs - WINDOW_MS);
    return (this.#bytesInWindow * 8 * 1000) / WINDOW_MS;
  }

  #forgetBefore(timeMs: number): void {
    let first = this.#arrivals[0];
    while (first !== undefined && first.atMs <= timeMs) {
      this.#bytesInWindow -= first.bytes;
      this.#arrivals.shift();
      first = this.#arrivals[0];
    }
  }
}
