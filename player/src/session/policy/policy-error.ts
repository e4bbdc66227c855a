/** A policy that cannot serve. The message goes on behind a colon: no capital, no full stop; the detail is for logs. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  readonly detail: string | null;

  constructor(message: string, detail: string | null = null) {
    super(message);
    this.detail = detail;
  }
}
