/** What stands in the way: the disk, or anything else, most often the film. */
export type MediaErrorKind = "disk" | "film";

/** A film cannot be packaged. The message is one sentence that names the thing and says what to do. */
export class MediaError extends Error {
  override readonly name = "MediaError";
  readonly kind: MediaErrorKind;

  constructor(message: string, { kind = "film", ...options }: ErrorOptions & { kind?: MediaErrorKind } = {}) {
    super(message, options);
    this.kind = kind;
  }
}
