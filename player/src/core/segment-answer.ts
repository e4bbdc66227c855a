import { responseHeaders } from "../session/response-headers.ts";
import type { FetchResponse } from "../session/worker-session.ts";
import type { SegmentAnswer } from "./nuwa-types.ts";

/** A segment that came over the session. */
export function sessionAnswer(url: string, { head, body }: FetchResponse): SegmentAnswer {
  return {
    url,
    status: head.status,
    headers: responseHeaders(head),
    body: body ?? new ArrayBuffer(0),
    cameBy: "webtransport",
  };
}
