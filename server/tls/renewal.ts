import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Log } from "../log.ts";
import { Problem } from "../problem.mjs";
import { type CertificateFiles, type CertificatePair, readPair } from "./certificate-pair.ts";

const CHECK_INTERVAL_MS = 5_000;

export interface RenewalOptions {
  readonly files: CertificateFiles;
  /** Told of another pair; connections that are there go on with the former one. */
  readonly onRenewed: (pair: CertificatePair) => void;
  readonly log: Log;
}

/** Reads the files again whenever one has changed. What is no pair, since one file is still the former, is waited for. */
export class CertificateRenewal {
  readonly #options: RenewalOptions;
  readonly #timer: NodeJS.Timeout;
  #seen: string;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#seen = fingerprintOf(options.files);
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL_MS).unref();
  }

  check(): void {
    const { files, onRenewed, log } = this.#options;
    const seen = fingerprintOf(files);
    if (seen === this.#seen) return;
    this.#seen = seen;
    try {
      onRenewed(readPair(files));
      log.info(`pages are served with the new certificate in ${files.certificate}`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      log.warn(`the former certificate stays in use: ${error.message}`);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function fingerprintOf({ certificate, key }: CertificateFiles): string {
  return `${stateOf(certificate)}, ${stateOf(key)}`;
}

/** Whoever renews may move files and take rights away for a while. What is read, since no time tells of rights that are given. */
function stateOf(path: string): string {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch (error) {
    return `away (${(error as NodeJS.ErrnoException).code})`;
  }
}
