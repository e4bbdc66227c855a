/** What policies make of more and less of the network known: a table and two pictures for each. */
import type { TopLevelSpec } from "vega-lite";
import { escapeHtml, renderChart, seriesColour, seriesShape } from "../../../laboratory/report/chart.ts";
import { type Column, table } from "../../../laboratory/report/table.ts";
import { CHART_WIDTH, cell, figure } from "./cells.ts";
import type { Group, Row } from "./figures.ts";

/** A group's arms, and the share that they know, in words. */
interface Known {
  share: string;
  rows: readonly Row[];
}

/** HTML. */
export async function knownNetwork(groups: readonly Group[]): Promise<string> {
  const parts: string[] = [];
  for (const [policy, known] of byPolicy(groups)) {
    parts.push(
      `<h3>${escapeHtml(policy)}</h3>${knownTable(policy, known)}${await knownCharts(policy, known)}`,
    );
  }
  return parts.join("\n");
}

function byPolicy(groups: readonly Group[]): Map<string, Known[]> {
  const policies = new Map<string, Known[]>();
  for (const { rows, known_ratio: knownRatio } of groups) {
    const policy = rows.find(({ is_policy: isPolicy }) => isPolicy);
    if (policy === undefined || knownRatio === null) continue;
    const known = { share: `${100 * knownRatio} %`, rows };
    policies.set(policy.name, [...(policies.get(policy.name) ?? []), known]);
  }
  return policies;
}

function knownTable(policy: string, known: readonly Known[]): string {
  type Arm = readonly (Row | undefined)[];
  const columns: Column<Arm>[] = known.map(({ share }, index) => ({
    ...{ title: `${share} known`, unit: "Mbit/s, ms" },
    cell: (arm) => {
      const row = arm[index];
      return row === undefined
        ? ""
        : `${megabits(row).toFixed(2)}<small>${roundTripMs(row).toFixed(1)}</small>`;
    },
  }));
  const names = known[0]?.rows.map(({ name }) => name) ?? [];
  const rows = names.map((name) => ({
    head: escapeHtml(name),
    row: known.map(({ rows: all }) => all.find((row) => row.name === name)),
  }));
  return table({ label: `${policy}, network known`, first: "Throughput, round trip", columns, rows });
}

async function knownCharts(policy: string, known: readonly Known[]): Promise<string> {
  const throughput = await knownChart(policy, known, "Throughput (Mbit/s)", megabits);
  const roundTrip = await knownChart(policy, known, "Round trip (ms)", roundTripMs);
  const names = known[0]?.rows.map(({ name }) => name) ?? [];
  const legend = names.map((name, index) => `<li><i class="chip s${index + 1}"></i>${escapeHtml(name)}</li>`);
  return `<ul class="legend">${legend.join("")}</ul>${figure(
    [cell("Throughput", throughput), cell("Round trip", roundTrip)],
    "Means over all test traces, by the share of the path's switches that is known.",
  )}`;
}

function knownChart(
  policy: string,
  known: readonly Known[],
  title: string,
  read: (row: Row) => number,
): Promise<string> {
  const rows = known.flatMap(({ share, rows: arms }) =>
    arms.map((row, index) => ({
      ...{ share, name: row.name, value: read(row) },
      ...{ colour: seriesColour(index), shape: seriesShape(index) },
    })),
  );
  const x = {
    ...{ field: "share", type: "ordinal", sort: null },
    axis: { title: "Known share of the network", labelAngle: 0, grid: false },
  };
  const y = {
    ...{ field: "value", type: "quantitative", scale: { zero: true } },
    axis: { title, tickCount: 5, grid: true },
  };
  const paint = { scale: null, legend: null } as const;
  const colour = { field: "colour", type: "nominal", ...paint };
  const spec = {
    ...{ width: CHART_WIDTH - 55, height: 190, padding: 4, data: { values: rows } },
    layer: [
      { mark: { type: "line" }, encoding: { x, y, color: colour, detail: { field: "name" } } },
      {
        mark: { type: "point", filled: true, opacity: 1, size: 60 },
        encoding: { x, y, color: colour, shape: { field: "shape", type: "nominal", ...paint } },
      },
    ],
  };
  const parts = rows.map(({ name, share, value }) => `${name} ${value.toFixed(2)} at ${share}`);
  return renderChart(spec as unknown as TopLevelSpec, `${policy}, ${title}: ${parts.join("; ")}.`);
}

function megabits({ throughput_bits_per_s: bitsPerSecond }: Row): number {
  return bitsPerSecond / 1e6;
}

function roundTripMs({ latency_s: seconds }: Row): number {
  return 1000 * seconds;
}
