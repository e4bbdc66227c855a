import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { isDiskFull } from "../../media/disk-space.ts";
import { Refusal } from "../errors.ts";
import { conditionOf, type Selection } from "./selection.ts";
import { StorageProblem } from "./storage-problem.ts";
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

export interface Exported {
  /** To be read to its end, or destroyed. */
  readonly content: Readable;
  /** There are more events than the limit let in. */
  readonly isCut: boolean;
}

/**
 * Writes events into a temporary file, whose name is gone before it is read: who reads slowly, or a server that is killed
 * meanwhile, leaves nothing there.
 *
 * @throws StorageProblem; Refusal 507 where the temporary folder has no room
 */
export async function exportEvents(
  store: TelemetryStore,
  format: FormatName,
  selection: Selection,
): Promise<Exported> {
  const folder = await makeTemporaryFolder();
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
    const file = await open(path);
    return { content: file.createReadStream(), isCut };
  } catch (error) {
    const isOfFolder =
      error instanceof StorageProblem && error.kind === "full" && error.message.includes(folder);
    throw isOfFolder ? noRoom() : error;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }); // tries again while too many files are open
  }
}

async function makeTemporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "nuwa-telemetry-"));
  } catch (error) {
    throw isDiskFull(error) ? noRoom() : error;
  }
}

function noRoom(): Refusal {
  return new Refusal(
    507,
    `${tmpdir()} has no room for the export: free some space, or ask for fewer events (limit)`,
  );
}
