import type { ResponseHead } from "./wire/request-line.ts";

/** What HTTP would say of a segment that came over the session; names in lower case. */
export function responseHeaders({
  lengthBytes,
  type,
}: Pick<ResponseHead, "lengthBytes" | "type">): Record<string, string> {
  return { "content-length": String(lengthBytes), ...(type === null ? {} : { "content-type": type }) };
}
