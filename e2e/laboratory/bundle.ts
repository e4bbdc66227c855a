import { writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { readVersions, type Versions } from "../browser/cell/versions.ts";
import { quantile } from "../browser/statistics.ts";
import type { FinishedRun } from "./finished-run.ts";
import type { LoadedLink } from "./matrix.ts";
import type { MatrixRequest } from "./options.ts";
import type { Place } from "./plan.ts";
import { flowTable, intervalTable, runTable, type Table } from "./tables.ts";

/** A server that needs more of a core than this may be what the run measures. */
export const BUSY_SERVER_SHARE = 0.7;

/** What bundle.json holds: how the rows beside it were made. */
export interface Bundle {
  command: readonly string[];
  writtenAt: string;
  versions: Omit<Versions, "browser" | "dashjs">;
  /** Hash of the programs that made the runs, by place. */
  sources: Partial<Record<Place, string>>;
  request: MatrixRequest;
  seeds: readonly number[];
  links: readonly { name: string; downlinkSha256: string; uplinkSha256: string; periodMs: number }[];
  machine: { cpu: string; cores: number; memoryBytes: number };
  runs: { finished: number; failed: number };
  failures: readonly { run: string; scheme: string | null; message: string; state: unknown }[];
  /** Of emulated runs: CPU seconds of the media server a second. */
  serverCpuShare: { median: number; largest: number; busyRuns: readonly string[] } | null;
  /** The files with rows, and their columns. */
  tables: Readonly<Record<string, Table["columns"]>>;
}

export interface BundleOptions {
  request: MatrixRequest;
  links: readonly LoadedLink[];
  runs: readonly FinishedRun[];
  sources: Partial<Record<Place, string>>;
}

export async function describeBundle({ request, links, runs, sources }: BundleOptions): Promise<Bundle> {
  const { browser: _, dashjs: __, ...versions } = await readVersions("none");
  const processors = cpus();
  const failures = runs.flatMap(({ key, record: { failure } }) =>
    failure === null ? [] : [{ run: key, ...failure }],
  );
  return {
    command: [...process.argv],
    writtenAt: new Date().toISOString(),
    ...{ versions, sources, request, failures },
    seeds: Array.from({ length: request.seeds }, (_seed, index) => index + 1),
    links: links.map(({ traces, opportunitiesMs }) => ({
      name: traces.name,
      downlinkSha256: traces.downlinkSha256,
      uplinkSha256: traces.uplinkSha256,
      periodMs: opportunitiesMs.at(-1) ?? 0,
    })),
    machine: { cpu: processors[0]?.model ?? "unknown", cores: processors.length, memoryBytes: totalmem() },
    runs: { finished: runs.length - failures.length, failed: failures.length },
    serverCpuShare: cpuShares(runs),
    tables: Object.fromEntries(
      [runTable([]), flowTable([]), intervalTable([])].map(({ name, columns }) => [
        `${name}.parquet`,
        columns,
      ]),
    ),
  };
}

export async function writeBundle(directory: string, bundle: Bundle): Promise<void> {
  await writeFile(join(directory, "bundle.json"), `${JSON.stringify(bundle, null, 2)}\n`);
}

function cpuShares(runs: readonly FinishedRun[]): Bundle["serverCpuShare"] {
  const shares = runs.flatMap(({ key, record }) => {
    const share = record.result?.serverCpuShare ?? null;
    return share === null ? [] : [{ key, share }];
  });
  const values = shares.map(({ share }) => share);
  const [middle, largest] = [quantile(values, 0.5), quantile(values, 1)];
  if (middle === null || largest === null) return null;
  const busyRuns = shares.filter(({ share }) => share > BUSY_SERVER_SHARE).map(({ key }) => key);
  return { median: middle, largest, busyRuns };
}
