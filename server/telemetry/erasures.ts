import type { DuckDBConnection } from "@duckdb/node-api";
import { MOST_BEHIND_MS } from "./event-time.ts";

/** Sessions that were erased by hand. Browsers keep events for which they heard no answer: they must not bring one back. */
export class Erasures {
  readonly #sids: Set<string>;

  private constructor(sids: Set<string>) {
    this.#sids = sids;
  }

  /** Within the caller's transaction. */
  static async open(connection: DuckDBConnection): Promise<Erasures> {
    await connection.run("CREATE TABLE IF NOT EXISTS erasures (sid VARCHAR, at_ms BIGINT)");
    const read = await connection.runAndReadAll("SELECT sid FROM erasures");
    return new Erasures(new Set(read.getRowsJS().map(([sid]) => String(sid))));
  }

  has(sid: string): boolean {
    return this.#sids.has(sid);
  }

  /** Within the caller's transaction. */
  async add(connection: DuckDBConnection, sid: string, nowMs: number): Promise<void> {
    await connection.run("INSERT INTO erasures VALUES ($1, $2::BIGINT)", [sid, nowMs]);
    this.#sids.add(sid);
  }

  /** Of sessions whose events nobody takes any more. */
  async forget(connection: DuckDBConnection, nowMs: number): Promise<void> {
    const forgotten = await connection.runAndReadAll(
      "DELETE FROM erasures WHERE at_ms < $1::BIGINT RETURNING sid",
      [nowMs - MOST_BEHIND_MS],
    );
    for (const [sid] of forgotten.getRowsJS()) this.#sids.delete(String(sid));
  }
}
