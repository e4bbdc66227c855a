/** The files of a session: name, type and content. */

import { sessionCsv } from "./csv.ts";
import { type QlogSession, sessionQlog } from "./qlog.ts";
import type { SessionMoment } from "./session-moment.ts";
import type { SessionRows } from "./session-rows.ts";

export type FileKind = "csv" | "json" | "qlog";

export interface Session {
  readonly address: string;
  readonly title: string;
  readonly userAgent: string;
  /** Which of two films; absent where there is one. */
  readonly side?: string;
  /** At its end. */
  readonly snapshot: SessionMoment;
  readonly records: Pick<QlogSession, "stamps" | "switches" | "stalls">;
  readonly rows: SessionRows;
}

export interface SessionFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

export function sessionFile(kind: FileKind, session: Session): SessionFile {
  switch (kind) {
    case "csv":
      return { name: fileName(session, "csv"), type: "text/csv", text: sessionCsv(session.rows) };
    case "json":
      return { name: fileName(session, "json"), type: "application/json", text: sessionJson(session) };
    case "qlog":
      return {
        name: fileName(session, "sqlog"),
        type: "application/qlog+json-seq",
        text: qlogOf(session),
      };
  }
}

/** `nuwa-stream-2026-11-24-18-05-09.csv`, in the time of UTC. */
export function fileName({ snapshot, side }: Pick<Session, "snapshot" | "side">, extension: string): string {
  const moment = new Date(snapshot.atMs).toISOString().slice(0, 19).replaceAll(/[T:]/g, "-");
  return `nuwa-stream-${moment}${side === undefined ? "" : `-${side}`}.${extension}`;
}

/** All that the page knows. */
function sessionJson({ address, title, userAgent, snapshot, records, rows }: Session): string {
  const { table, changes } = rows;
  const columns = Object.fromEntries(table.columns.map((name) => [name, table.column(name)]));
  const atMs = table.seconds.map((seconds) => Math.round(1000 * seconds));
  const session = {
    format: "nuwa-stream session 1",
    address,
    film: title,
    user_agent: userAgent,
    end: snapshot,
    changes,
    rows: { at_ms: atMs, ...columns },
    ...records,
  };
  return JSON.stringify(session);
}

function qlogOf({ title, snapshot, records, rows }: Session): string {
  const { table, changes } = rows;
  const targets = table.column("target_delay_ms");
  const targetDelayMsAt = (atMs: number): number | null => {
    const place = table.placeAt(atMs / 1000);
    return targets[place ?? 0] ?? null;
  };
  const { scheme = "", preset = "" } = snapshot.choices ?? {};
  return sessionQlog({ title: `${scheme}, ${preset}: ${title}`, ...records, changes, targetDelayMsAt });
}
