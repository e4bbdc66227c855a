import { Refusal } from "../errors.ts";

export interface RefusalDetails {
  /** Where in the request, as a JSON pointer or a parameter's name; null where it is the request as a whole. */
  readonly field?: string | null;
  /** When it may be tried again; null where that would not help. */
  readonly retryAfterSeconds?: number | null;
}

/** A refusal that says what of the request it is about. */
export class RequestRefusal extends Refusal {
  readonly field: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, sentence: string, details: RefusalDetails = {}) {
    super(status, sentence);
    this.field = details.field ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}
