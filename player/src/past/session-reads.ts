import type { Side } from "../charts/comparison-charts.ts";
import type { SessionSeries } from "./session-series.ts";

/** What has been read of the sessions of both sides. What was asked for last of a side counts, in whatever order answers come. */
export class SessionReads {
  readonly #fetch: (sid: string) => Promise<SessionSeries>;
  readonly #series: Record<Side, SessionSeries | null> = { left: null, right: null };
  readonly #newest: Record<Side, Promise<SessionSeries> | null> = { left: null, right: null };

  constructor(fetch: (sid: string) => Promise<SessionSeries>) {
    this.#fetch = fetch;
  }

  /** null of a side while it is read, and where it could not be. */
  get series(): Readonly<Record<Side, SessionSeries | null>> {
    return this.#series;
  }

  /**
   * Reads another session for a side; what was there is gone at once. Never rejects.
   *
   * @returns why it cannot be read; null where it was, or where another has been asked for meanwhile
   */
  async read(side: Side, sid: string): Promise<string | null> {
    const reading = this.#fetch(sid);
    this.#newest[side] = reading;
    this.#series[side] = null;
    try {
      const series = await reading;
      if (this.#newest[side] === reading) {
        this.#series[side] = series;
      }
      return null;
    } catch (error) {
      const isOvertaken = this.#newest[side] !== reading;
      return isOvertaken ? null : error instanceof Error ? error.message : String(error);
    }
  }
}
