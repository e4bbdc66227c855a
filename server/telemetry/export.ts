import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conditionOf, type Selection } from "./selection.ts";
import type { TelemetryStore } from "./store.ts";
import { EVENT_COLUMNS } from "./tables.ts";

/** In the API's spelling. */
const RECEIVED = { name: "received_at_ms", exported: 'received_at_ms AS "receivedAtMs"' };

interface Format {
  readonly contentType: string;
  /** DuckDB's, of COPY. */
  readonly options: string;
  /** How a column of text is written. */
  readonly text: (column: string) => string;
}

const AS_IT_IS = (column: string): string => column;

/** How a formula begins, in RE2's words: wide signs count in East Asian locales. */
const FORMULA = "^[\\s\\p{Z}\\p{Cf}]*[=+\\-@\uff1d\uff0b\uff0d\uff20]";

/** A spreadsheet would run such a cell; the apostrophe makes it text. JSON and Parquet have it as it came. */
const AS_CELL = (column: string): string =>
  `CASE WHEN regexp_matches(${column}, '${FORMULA}') THEN '''' || ${column} ELSE ${column} END AS ${column}`;

export const FORMATS = {
  json: { contentType: "application/json", options: "FORMAT json, ARRAY true", text: AS_IT_IS },
  csv: { contentType: "text/csv; charset=utf-8", options: "FORMAT csv, HEADER", text: AS_CELL },
  parquet: {
    contentType: "application/vnd.apache.parquet",
    options: "FORMAT parquet, COMPRESSION zstd",
    text: AS_IT_IS,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** Of the session, so that a file says by itself which film it is. */
const OF_SESSION = ["cid", "sf", "st", "dropped"] as const;

export interface ExportedFile {
  readonly path: string;
  /** There are more events than the limit let in. */
  readonly isCut: boolean;
  remove(): Promise<void>;
}

/**
 * Writes events into a temporary file; the caller removes it.
 *
 * @throws StorageProblem
 */
export async function exportEvents(
  store: TelemetryStore,
  format: FormatName,
  selection: Selection,
): Promise<ExportedFile> {
  const folder = await mkdtemp(join(tmpdir(), "nuwa-telemetry-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 }); // tries again while too many files are open
  const path = join(folder, `events.${format}`);
  const { options, text } = FORMATS[format];
  const columns = EVENT_COLUMNS.map(({ name, type }) =>
    name === RECEIVED.name ? RECEIVED.exported : type === "VARCHAR" ? text(`"${name}"`) : `"${name}"`,
  );
  const ofSession = OF_SESSION.map((name) => (name === "dropped" ? name : text(name)));
  const condition = conditionOf(selection);
  const { limit } = selection;
  const rows = `SELECT ${[...columns, ...ofSession].join(", ")}
    FROM (SELECT events.*, ${OF_SESSION.join(", ")} FROM events LEFT JOIN sessions USING (sid))
    WHERE ${condition} ORDER BY ts, sid, sn LIMIT ${limit}`;
  let isCut = false;
  try {
    await store.read(async (connection) => {
      const { rowsChanged } = await connection.run(
        `COPY (${rows}) TO '${path.replaceAll("'", "''")}' (${options})`,
      );
      if (rowsChanged < limit) return;
      const next = `SELECT sn FROM events WHERE ${condition} LIMIT 1 OFFSET ${limit}`;
      isCut = (await connection.runAndReadAll(next)).currentRowCount > 0;
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, isCut, remove };
}
