import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { checksum, type Sender } from "./sender.ts";

export interface Audit {
  /** Events that were answered 2xx, over all senders. */
  readonly accepted: number;
  readonly lost: number;
  readonly doubled: number;
  /** Stored with another content than was sent. */
  readonly changed: number;
  /** Sessions whose sums count another number of events than are stored. */
  readonly miscounted: number;
  /** Files that the server set aside as damaged. */
  readonly damagedFiles: number;
}

/** Counts what the file of a server that has ended holds of what its senders were told to be safe. */
export async function audit(directory: string, senders: readonly Sender[]): Promise<Audit> {
  const rows = await query(directory, "SELECT sid, sn::DOUBLE, pt::DOUBLE, ec FROM events");
  const counts = { accepted: 0, lost: 0, doubled: 0, changed: 0 };
  for (const sender of senders) {
    const own = rows.filter(([sid]) => sid === sender.sid);
    const numbers = new Set(own.map(([, sn]) => Number(sn)));
    counts.accepted += sender.acceptedEvents;
    counts.doubled += own.length - numbers.size;
    for (let sn = 0; sn < sender.acceptedEvents; sn += 1) counts.lost += numbers.has(sn) ? 0 : 1;
    counts.changed += own.filter(([, sn, pt, ec]) => !isUnchanged(sender.sid, Number(sn), pt, ec)).length;
  }
  const damagedFiles = readdirSync(directory).filter((name) => name.startsWith("damaged-")).length;
  const miscounted = (await query(directory, MISCOUNTED)).length;
  return { ...counts, miscounted, damagedFiles };
}

const MISCOUNTED = `SELECT sid FROM (SELECT sid, count(*) AS stored FROM events GROUP BY sid)
  FULL JOIN session_sums USING (sid) WHERE stored IS DISTINCT FROM session_sums.events`;

function isUnchanged(sid: string, sn: number, pt: unknown, ec: unknown): boolean {
  return pt === checksum(sid, sn) && ec === `event ${sn}, "quoted"\nof ${sid}`;
}

/** Numbers of a session's events in the file of a server that has ended. */
export async function storedNumbers(directory: string, sid: string): Promise<number[]> {
  const rows = await query(directory, "SELECT sid, sn::DOUBLE FROM events");
  return rows.filter(([session]) => session === sid).map(([, sn]) => Number(sn));
}

/** A scan of the rows: the index, which is to keep them apart, is not asked. */
async function query(directory: string, sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(join(directory, "telemetry.duckdb"));
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowsJS();
  connection.closeSync();
  instance.closeSync();
  return rows;
}
