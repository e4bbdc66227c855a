import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Table } from "./tables.ts";

const SETTINGS = {
  autoinstall_known_extensions: "false", // nothing is ever fetched
  autoload_known_extensions: "false",
  threads: "2",
};

/**
 * Writes tables as Parquet, NAME.parquet each.
 *
 * @param about goes into each file's metadata, so that it describes itself where it is alone
 */
export async function writeParquet(
  directory: string,
  tables: readonly Table[],
  about: Readonly<Record<string, string>>,
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "nuwa-rows-"));
  const instance = await DuckDBInstance.create(":memory:", SETTINGS);
  try {
    const connection = await instance.connect();
    for (const table of tables) {
      const lines = join(scratch, `${table.name}.ndjson`);
      await pipeline(Readable.from(jsonLines(table)), createWriteStream(lines));
      await connection.run(copyStatement(table, lines, join(directory, `${table.name}.parquet`), about));
    }
    connection.closeSync();
  } finally {
    instance.closeSync();
    await rm(scratch, { recursive: true, force: true });
  }
}

function* jsonLines({ rows }: Table): Iterable<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

function copyStatement(
  { columns }: Table,
  from: string,
  to: string,
  about: Readonly<Record<string, string>>,
): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name}: ${quoted(type)}`);
  const metadata = Object.entries(about).map(([name, value]) => `${name}: ${quoted(value)}`);
  return `COPY (SELECT * FROM read_json(${quoted(from)}, format = 'newline_delimited', columns = {${typed.join(", ")}}))
    TO ${quoted(to)} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {${metadata.join(", ")}})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
