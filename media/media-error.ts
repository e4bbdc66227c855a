/** A film cannot be packaged. The message is one sentence that names the thing and says what to do. */
export class MediaError extends Error {
  override readonly name = "MediaError";
}
