import type { PolicyReport } from "../browser/cell/decisions.ts";
import { PYTHON, ROOT } from "../browser/environment.ts";
import { Child } from "../browser/process/child.ts";
import { type FlowPlan, INTERVAL_SECONDS } from "./plan.ts";

/** What `python -m transport receive --json --interval` prints. Delays are seconds. */
export interface ReceiverReport {
  seconds: number;
  received_bytes: number;
  began_at_s: number;
  queueing_delay_mean_s: number | null;
  queueing_delay_p50_s: number | null;
  queueing_delay_p95_s: number | null;
  queueing_delay_max_s: number | null;
  loss_ratio: number | null;
  packets_sent: number | null;
  rtt_mean_s: number | null;
  intervals: {
    received_bytes: number[];
    payload_bytes: number[];
    datagrams: number[];
    queueing_delay_mean_s: (number | null)[];
    queueing_delay_p95_s: (number | null)[];
    cwnd_bytes: (number | null)[];
  };
  /** null where the receiver asks no policy. */
  policy: PolicyReport | null;
}

export interface ReceiverOptions {
  flow: FlowPlan;
  /** Of the media server, as the receiver reaches it. */
  host: string;
  port: number;
  origin: string;
  /** When it asks for data, ms since the Unix epoch. */
  beginAtMs: number;
  seconds: number;
  /** Puts a command where the receiver is to run. */
  place: (command: string, args: readonly string[]) => { command: string; args: string[] };
}

/** After its time a receiver has this long to say what it measured. */
const REPORT_LIMIT_MS = 20_000;

/** A headless receiver of one flow. It opens its session at once. */
export class Receiver implements AsyncDisposable {
  readonly #child: Child;
  readonly #reportByMs: number;

  private constructor(child: Child, reportByMs: number) {
    this.#child = child;
    this.#reportByMs = reportByMs;
  }

  static async start(options: ReceiverOptions): Promise<Receiver> {
    const { command, args } = options.place(PYTHON, receiverArguments(options));
    const child = await Child.start({ name: `receiver of ${options.flow.scheme}`, command, args, cwd: ROOT });
    return new Receiver(child, options.beginAtMs + options.seconds * 1000 + REPORT_LIMIT_MS);
  }

  /** @throws ChildError where the receiver ended without a report */
  async report(): Promise<ReceiverReport> {
    return JSON.parse(await this.#child.nextLine(this.#reportByMs - Date.now())) as ReceiverReport;
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#child.stop();
  }
}

function receiverArguments({ flow, host, port, origin, beginAtMs, seconds }: ReceiverOptions): string[] {
  const { source } = flow;
  return [
    ...["-m", "transport", "receive", `https://${host}:${port}`, "--origin", origin],
    ...["--scheme", flow.scheme, "--preset", flow.preset, "--seconds", String(seconds)],
    ...["--begin-at", String(beginAtMs / 1000), "--interval", String(INTERVAL_SECONDS), "--json"],
    ...(source.kind === "bulk" ? [] : ["--on-off", `${source.onBytes}/${source.offSeconds}`]),
    ...["--log-level", "error"],
  ];
}
