import type { FragmentLoaderContext, HlsConfig } from "hls.js";
import type { SegmentFetchInit } from "../core/nuwa-types.ts";

/** How a segment is asked for over HTTP. */
export interface HlsRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: NonNullable<SegmentFetchInit["credentials"]>;
}

/**
 * What a page's `fetchSetup` or `xhrSetup` makes of a request: hls.js is told headers and credentials by these alone.
 * Rejects with what they throw.
 */
export async function setUpRequest(
  context: FragmentLoaderContext,
  { fetchSetup, xhrSetup }: Pick<HlsConfig, "fetchSetup" | "xhrSetup">,
): Promise<HlsRequest> {
  const { url, headers = {} } = context;
  if (fetchSetup !== undefined) {
    const init = { method: "GET", mode: "cors", credentials: "same-origin", headers: new Headers(headers) };
    const made = await fetchSetup(context, init);
    return { url: made.url, headers: Object.fromEntries(made.headers), credentials: made.credentials };
  }
  return xhrSetup === undefined
    ? { url, headers, credentials: "same-origin" }
    : await setUpXhr(context, xhrSetup);
}

async function setUpXhr(
  context: FragmentLoaderContext,
  xhrSetup: NonNullable<HlsConfig["xhrSetup"]>,
): Promise<HlsRequest> {
  let { url } = context;
  const set = new Headers(); // joins what is set twice, as requests do
  /** Is never sent: it hears what the page sets. */
  class HeardXhr extends XMLHttpRequest {
    override open(method: string, opened: string | URL, isAsync = true): void {
      url = String(opened);
      super.open(method, opened, isAsync);
    }

    override setRequestHeader(name: string, value: string): void {
      super.setRequestHeader(name, value);
      set.append(name, value);
    }
  }
  const xhr = new HeardXhr();
  xhr.open("GET", url); // before that it takes no header
  await xhrSetup(xhr, url, context);
  for (const [name, value] of Object.entries(context.headers ?? {})) {
    set.append(name, value); // after the page's, as hls.js does
  }
  return {
    url,
    headers: Object.fromEntries(set),
    credentials: xhr.withCredentials ? "include" : "same-origin",
  };
}
