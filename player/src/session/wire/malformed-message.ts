/** A message that does not follow transport/wire_format/PROTOCOL.md; the message says which field, with its value. */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
}
