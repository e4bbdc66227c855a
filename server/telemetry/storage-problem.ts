export const STORAGE_PROBLEMS = [
  "full",
  "locked",
  "denied",
  "damaged",
  "exhausted",
  "starved",
  "busy",
  "unavailable",
] as const;

export type StorageProblemKind = (typeof STORAGE_PROBLEMS)[number];

/** Why telemetry cannot be stored or read at the moment. */
export class StorageProblem extends Error {
  override readonly name = "StorageProblem";
  readonly kind: StorageProblemKind;

  constructor(kind: StorageProblemKind, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.kind = kind;
  }

  /** 507 where space is missing, 503 else: both ask to come again. */
  get status(): 503 | 507 {
    return this.kind === "full" ? 507 : 503;
  }

  get retryAfterSeconds(): number {
    return this.kind === "busy" ? 1 : 2;
  }
}

/**
 * DuckDB tells its errors apart by their text alone. What is not known here is never taken for damage, since a damaged
 * file is set aside.
 */
const KINDS: readonly (readonly [StorageProblemKind, RegExp])[] = [
  ["full", /No space left on device|ENOSPC|File too large|EFBIG|Disk quota exceeded|EDQUOT|Out of disk/i],
  ["locked", /Could not set lock on file|Conflicting lock/i],
  ["exhausted", /Too many open files|EMFILE|ENFILE/i],
  ["denied", /Permission denied|EACCES|EPERM|EROFS|Read-only file system|Operation not permitted/i],
  // Before damage: a log that could not be replayed for want of memory is as good as it was.
  ["starved", /Out of Memory|could not allocate|failed to (allocate|pin|offload)|Input\/output error/i],
  [
    "damaged",
    /not a valid DuckDB database file|Corrupt database file|Corrupt (Encrypted )?WAL|checksum|Serialization ?Error|at byte position/i,
  ],
];

/** Says what an error of the database means for whoever wants to store. */
export function storageProblem(error: unknown, path: string): StorageProblem {
  if (error instanceof StorageProblem) return error;
  const text = error instanceof Error ? error.message : String(error);
  const kind = KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "unavailable";
  return new StorageProblem(kind, `${path}: ${sentenceOf(kind, text)} (${text.split("\n")[0]})`, error);
}

function sentenceOf(kind: StorageProblemKind, text: string): string {
  const holder = /\(PID (\d+)\)/.exec(text)?.[1];
  return kind === "locked" && holder !== undefined
    ? `process ${holder}, such as another server of this clone, keeps its telemetry there, and none is kept here until it ends or another --data is chosen`
    : SENTENCES[kind];
}

const SENTENCES: Readonly<Record<StorageProblemKind, string>> = {
  full: "no space is left; telemetry is stored again once there is",
  locked: "another program has the file open: end it, or choose another --data",
  denied: "the file may not be written: check its permissions, or choose another --data",
  damaged: "the file is damaged",
  exhausted: "too many files are open; telemetry is stored again once fewer are",
  starved: "memory is short, or the disk does not answer; telemetry is stored again once that is over",
  busy: "more waits to be stored than may",
  unavailable: "the database cannot be used",
};
