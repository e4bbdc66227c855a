import type { CommonMediaRequest } from "./dashjs-internals.ts";

/** More than the web server takes to pull a file; dash.js's own limit begins after this. */
const PREPARED_MS = 30_000;
const SEGMENT_TYPES: readonly string[] = ["MediaSegment", "InitializationSegment"];

type WithRequest = Pick<CommonMediaRequest, "url"> & {
  customData?: Partial<CommonMediaRequest["customData"]>;
};

/**
 * A request interceptor of dash.js: has the web server put a segment where the media server finds it. What goes wrong with
 * that is left to the request itself, which then fails for the same reason.
 */
export async function prepareSegment<Request extends { readonly url: string }>(
  request: Request,
): Promise<Request> {
  const { customData } = request as WithRequest;
  if (SEGMENT_TYPES.includes(customData?.request?.type ?? "")) {
    const signal = AbortSignal.timeout(PREPARED_MS);
    await fetch(request.url, { method: "HEAD", cache: "no-store", signal }).catch(() => undefined);
  }
  return request;
}
