import type { CommonMediaRequest, CommonMediaResponse } from "./dashjs-internals.ts";

export interface XhrListener {
  /** The answer's head came; the length is 0 where the server does not say it. */
  readonly onHead?: (totalBytes: number, status: number) => void;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly onTimeout?: (event: ProgressEvent) => void;
  readonly onAbort?: () => void;
  /** Last of all, but after an abort: the response is filled in, or its status is 0. */
  readonly onEnd: (event: ProgressEvent) => void;
}

/** Loads by XMLHttpRequest, as dash.js's own XHRLoader does. What it returns aborts. */
export function loadByXhr(
  request: CommonMediaRequest,
  response: CommonMediaResponse,
  listener: XhrListener,
): () => void {
  const xhr = new XMLHttpRequest();
  xhr.open(request.method, request.url, true);
  xhr.responseType = request.responseType;
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== "") {
      xhr.setRequestHeader(name, value);
    }
  }
  xhr.withCredentials = request.credentials === "include";
  xhr.timeout = request.timeout;
  xhr.onreadystatechange = () => {
    if (xhr.readyState === XMLHttpRequest.HEADERS_RECEIVED) {
      listener.onHead?.(Number(xhr.getResponseHeader("content-length") ?? 0), xhr.status);
    }
  };
  xhr.onload = () => {
    response.url = xhr.responseURL;
    response.status = xhr.status;
    response.statusText = xhr.statusText;
    response.headers = parseHeaders(xhr.getAllResponseHeaders());
    response.data = xhr.response;
  };
  xhr.onprogress = listener.onProgress;
  xhr.ontimeout = listener.onTimeout ?? null;
  xhr.onabort = listener.onAbort ?? null;
  xhr.onloadend = listener.onEnd;
  xhr.send(request.body ?? null);
  return () => {
    xhr.onreadystatechange = null;
    xhr.onloadend = null;
    xhr.onprogress = null;
    xhr.abort();
  };
}

/** Hands a request on to dash.js as its own loader would. What it returns aborts. */
export function passThrough(
  request: CommonMediaRequest,
  response: CommonMediaResponse,
  onOver: () => void,
): () => void {
  const { customData } = request;
  return loadByXhr(request, response, {
    onProgress: (event) => customData.onprogress?.(event),
    onTimeout: (event) => customData.ontimeout?.(event),
    onAbort: () => customData.onabort?.(),
    onEnd: (event) => {
      onOver();
      customData.onloadend?.(event);
    },
  });
}

/** `Name: value` lines to an object with lower-case names. */
function parseHeaders(lines: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines.trim().split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) {
      headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
    }
  }
  return headers;
}
