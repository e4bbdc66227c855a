import type { CommonMediaRequest } from "./dashjs-internals.ts";

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
    await fetch(request.url, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  }
  return request;
}
