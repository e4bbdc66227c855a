import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Journal } from "./journal.ts";
import type { NodeTarget, Subject } from "./target.ts";

const HANG_MS = 1000;
/** What takes longer is measured again: a machine that stood still makes anything look slow. */
const SLOW_MS = 100;
const MOST_FINDINGS = 20;
/** As in findings.py. */
const MOST_KEPT = 1000;

interface Finding {
  readonly target: string;
  readonly what: "crash" | "hang";
  readonly error: string;
  readonly file: string;
}

/** As `Tally` of engines/watch.py. */
export interface Tally {
  inputs: number;
  understood: number;
  unconfirmed_hangs: number;
  slowest_s: number;
  growth_bytes: number | null;
  findings: Finding[];
}

/** Feeds a target, and notes what crashes it, what takes long and what its heap grows by. */
export class Watch {
  readonly #target: NodeTarget;
  readonly #folder: string;
  readonly #journal: Journal | null;
  readonly #known = new Set<string>();
  readonly #tally: Tally = {
    inputs: 0,
    understood: 0,
    unconfirmed_hangs: 0,
    slowest_s: 0,
    growth_bytes: null,
    findings: [],
  };
  #subject: Subject | null = null;
  #fed: Uint8Array[] = [];
  #count = 0;
  #warmBytes: number | null = null;

  /**
   * @param folder for inputs that were too much
   * @param journal a file for what is about to be fed
   */
  constructor(target: NodeTarget, folder: string, journal?: string) {
    this.#target = target;
    this.#folder = folder;
    this.#journal = journal === undefined ? null : new Journal(journal);
  }

  get isOver(): boolean {
    return this.#tally.findings.length >= MOST_FINDINGS;
  }

  async feed(data: Uint8Array): Promise<void> {
    if (this.#subject === null || this.#count >= this.#target.inputsEach) await this.#renew();
    this.#count += 1;
    this.#journal?.note(data);
    this.#fed.push(data);
    if (this.#fed.length > MOST_KEPT) this.#fed.shift();
    let { error, tookMs } = await timed(this.#subject as Subject, data, () => {
      this.#tally.understood += 1;
    });
    if (tookMs > SLOW_MS) {
      const wasHung = tookMs > HANG_MS;
      tookMs = Math.min(tookMs, await this.#againMs());
      if (tookMs > HANG_MS) error ??= new Error(`it took ${Math.round(tookMs)} ms`);
      else if (wasHung) this.#tally.unconfirmed_hangs += 1;
    }
    if (error !== null) this.#note(tookMs > HANG_MS ? "hang" : "crash", error);
    this.#tally.inputs += 1;
    this.#tally.slowest_s = Math.max(this.#tally.slowest_s, tookMs / 1000);
  }

  /** From here on memory has to stand still; only the first call counts. */
  warm(): void {
    this.#warmBytes ??= heapBytes();
  }

  async end(): Promise<Tally> {
    await this.#subject?.close?.();
    this.#journal?.close();
    this.#fed = [];
    if (this.#warmBytes !== null) this.#tally.growth_bytes = heapBytes() - this.#warmBytes;
    return this.#tally;
  }

  async #renew(): Promise<void> {
    await this.#subject?.close?.();
    this.#subject = this.#target.open();
    this.#journal?.begin();
    this.#fed = [];
    this.#count = 0;
  }

  /** How long the last input takes another subject. */
  async #againMs(): Promise<number> {
    const subject = this.#target.open();
    let tookMs = 0;
    for (const data of this.#fed) ({ tookMs } = await timed(subject, data, () => undefined));
    await subject.close?.();
    return tookMs;
  }

  #note(what: Finding["what"], error: Error): void {
    const text = error.stack ?? String(error);
    this.#subject = null; // what is left of it may be anything
    const signature = `${error.name} ${text.split("\n")[1] ?? ""}`;
    if (this.#known.has(signature)) return;
    this.#known.add(signature);
    const inputs = this.#fed.map((data) => Buffer.from(data).toString("base64"));
    const digest = createHash("sha256").update(inputs.join()).update(text).digest("hex").slice(0, 12);
    const file = join(this.#folder, `${this.#target.name}-${digest}.json`);
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(
      file,
      `${JSON.stringify({ target: this.#target.name, what, error: text, inputs }, null, 1)}\n`,
    );
    this.#tally.findings.push({ target: this.#target.name, what, error: String(error), file });
  }
}

/** Wall clock: an input that waits hangs, too. */
async function timed(
  subject: Subject,
  data: Uint8Array,
  onUnderstood: () => void,
): Promise<{ error: Error | null; tookMs: number }> {
  const beganMs = performance.now();
  try {
    if (await subject.feed(data)) onUnderstood();
  } catch (error) {
    const told = error instanceof Error ? error : new Error(String(error));
    return { error: told, tookMs: performance.now() - beganMs };
  }
  return { error: null, tookMs: performance.now() - beganMs };
}

/** What is alive; without `--expose-gc` also what was not collected yet. */
function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
