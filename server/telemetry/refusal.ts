/** A request that cannot be served as it was made; told to the client. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** Where in the request, as a JSON pointer; null where it is the request as a whole. */
  readonly field: string | null;
  /** When it may be tried again; null where that would not help. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    sentence: string,
    {
      field = null,
      retryAfterSeconds = null,
    }: { field?: string | null; retryAfterSeconds?: number | null } = {},
  ) {
    super(sentence);
    this.status = status;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
