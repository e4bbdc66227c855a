/** The page's tables. */
import { escapeHtml } from "../../../laboratory/report/chart.ts";
import { type Column, signed, table } from "../../../laboratory/report/table.ts";
import { isReached } from "../figures.ts";
import { type EmulatedRow, emulationFigures, type Outcome } from "./emulation.ts";
import { benchFigure, type Group, type LearnedFigure, type LearnedReport, type Row } from "./figures.ts";

const NONE = "&ndash;";

/** What was to be reached, and whether it was. */
export function figuresTable(label: string, figures: readonly LearnedFigure[]): string {
  const columns: Column<LearnedFigure>[] = [
    { title: "", unit: "", cell: verdict },
    { title: "Measured", unit: "95 % interval", cell: measured },
    { title: "To reach", unit: "", cell: toReach },
  ];
  const rows = figures.map((row) => ({ head: escapeHtml(row.what), row }));
  return table({ label, first: "Figure", columns, look: "wide-heads", rows });
}

/** All policies; those that are not shipped say so. */
export function policiesTable(
  { titles, policies }: Pick<LearnedReport, "titles" | "policies">,
  decisions: readonly LearnedFigure[],
): string {
  const rows = Object.entries(titles).map(([name, title]) => {
    const index = policies.findIndex((policy) => policy.name === name);
    const policy = policies[index];
    const row = policy && { ...policy, decision: decisions[index]?.value ?? null };
    return { head: escapeHtml(title), row: row ?? null };
  });
  type Known = NonNullable<(typeof rows)[number]["row"]>;
  const of =
    (read: (policy: Known) => string, otherwise = "") =>
    (policy: Known | null) =>
      policy === null ? otherwise : read(policy);
  const columns: Column<Known | null>[] = [
    {
      title: "Model",
      unit: "kB",
      cell: of(
        ({ model_bytes: bytes }) => (bytes / 1000).toFixed(0),
        '<span class="muted">not shipped</span>',
      ),
    },
    {
      title: "Decision, p99",
      unit: "ms",
      cell: of(({ decision }) => (decision === null ? NONE : decision.toFixed(3))),
    },
    { title: "Trained", unit: "decisions", cell: of(({ steps }) => steps.toLocaleString("en")) },
    { title: "Seed", unit: "", cell: of(({ seed }) => String(seed)) },
  ];
  return table({ label: "Policies", first: "Policy", columns, rows });
}

/** Every arm of a group. */
export function rowsTable({ name, rows, differences, front }: Group): string {
  const first = rows[0];
  const hasRewards = differences.length > 0;
  const columns: Column<Row>[] = [
    {
      title: "Throughput",
      unit: "Mbit/s",
      cell: ({ throughput_bits_per_s: rate }) => (rate / 1e6).toFixed(2),
    },
    { title: "Utilisation", unit: "% of capacity", cell: ({ utilisation }) => percent(utilisation) },
    { title: "Delay, mean", unit: "ms in the queue", cell: ({ queueing_s: delay }) => milliseconds(delay) },
    {
      title: "Delay, p95",
      unit: "ms in the queue",
      cell: ({ queueing_p95_s: delay }) => milliseconds(delay),
    },
    { title: "Round trip", unit: "ms, mean", cell: ({ latency_s: latency }) => milliseconds(latency) },
    { title: "Loss", unit: "% of packets", cell: ({ loss_ratio: loss }) => percent(loss, 2) },
  ];
  if (hasRewards) {
    columns.unshift(
      { title: "Reward", unit: "", cell: ({ reward }) => signed(reward.toFixed(4), false) },
      {
        title: "The policy's less it",
        unit: "95 % interval",
        cell: (row) => {
          const interval = differences.find(({ rival }) => rival === row.name)?.interval;
          return interval === undefined ? "" : estimate(interval.value, interval, 4, true);
        },
      },
    );
  }
  if (first?.share != null) {
    columns.push({
      title: "Share",
      unit: "% beside CUBIC",
      cell: ({ share }) => (share === null ? NONE : percent(share)),
    });
  }
  const head = (row: Row) => {
    const name = escapeHtml(row.name);
    return front.includes(row.name) ? `${name}<small>on the front</small>` : name;
  };
  return table({ label: name, first: "Arm", columns, rows: rows.map((row) => ({ head: head(row), row })) });
}

/** Both places side by side, and how far they are apart. */
export function emulatedTable(rows: readonly EmulatedRow[]): string {
  const of =
    (place: "simulation" | "mahimahi", read: (outcome: Outcome) => string) =>
    ({ row }: { row: EmulatedRow }) => {
      const outcome = row[place];
      return outcome === null ? '<strong class="failed">failed</strong>' : read(outcome);
    };
  const rate = ({ throughputMbps }: Outcome) => throughputMbps.toFixed(2);
  const delay = ({ delayMs }: Outcome) => delayMs.toFixed(1);
  const apart = ({ value, reach }: LearnedFigure) =>
    value === null
      ? '<span class="missed">not measured</span>'
      : `<span class="${value <= (reach?.value ?? 0) ? "reached" : "missed"}">${value.toFixed(1)}</span>`;
  const wanted = (figure: LearnedFigure | undefined) => `% apart, at most ${figure?.reach?.value ?? ""}`;
  const all = rows.map((row) => ({ row, figures: emulationFigures(row) }));
  const [throughput, queueing] = all[0]?.figures ?? [];
  return table({
    ...{ label: "Simulation and mahimahi", first: "Policy" },
    columns: [
      {
        title: "Throughput",
        unit: wanted(throughput),
        cell: ({ figures: [figure] }) => (figure ? apart(figure) : ""),
      },
      { title: "mahimahi", unit: "Mbit/s", cell: of("mahimahi", rate) },
      { title: "simulation", unit: "Mbit/s", cell: of("simulation", rate) },
      {
        title: "Delay",
        unit: wanted(queueing),
        cell: ({ figures: [, figure] }) => (figure ? apart(figure) : ""),
      },
      { title: "mahimahi", unit: "ms in the queue, mean", cell: of("mahimahi", delay) },
      { title: "simulation", unit: "ms in the queue, mean", cell: of("simulation", delay) },
    ],
    rows: all.map((row) => ({
      head: `${escapeHtml(row.row.title)}<small>${escapeHtml(row.row.link)}</small>`,
      row,
    })),
  });
}

function measured({ value, interval, unit }: LearnedFigure): string {
  if (value === null) return NONE;
  const digits = digitsOf(interval === null ? [value] : [interval.value, interval.low, interval.high]);
  const text = estimate(value, interval, digits, false);
  return unit === "" ? text : text.replace(/(<small>|$)/, ` ${escapeHtml(unit)}$1`);
}

function toReach({ reach, has_to_be_sure: hasToBeSure }: LearnedFigure): string {
  if (reach === null) return "";
  const wanted = `${reach.comparison} ${String(reach.value)}`;
  return hasToBeSure ? `${wanted}<small>the whole interval</small>` : wanted;
}

function verdict(figure: LearnedFigure): string {
  const reached = isReached(benchFigure(figure));
  if (reached === null) return "";
  if (figure.value === null) return '<span class="missed">not measured</span>';
  return reached ? '<span class="reached">reached</span>' : '<span class="missed">missed</span>';
}

/** Three digits that matter of the largest. */
function digitsOf(values: readonly number[]): number {
  const largest = Math.max(...values.map(Math.abs));
  return largest === 0 ? 0 : Math.min(4, Math.max(0, 2 - Math.floor(Math.log10(largest))));
}

function estimate(
  value: number,
  interval: { low: number; high: number } | null,
  digits: number,
  isChange: boolean,
): string {
  const text = (number: number) => signed(number.toFixed(digits), isChange);
  return interval === null
    ? text(value)
    : `${text(value)}<small>${text(interval.low)} to ${text(interval.high)}</small>`;
}

function percent(share: number, digits = 1): string {
  return (100 * share).toFixed(digits);
}

function milliseconds(seconds: number | null): string {
  return seconds === null ? NONE : (1000 * seconds).toFixed(1);
}
