import type { CommonMediaRequest, CommonMediaResponse } from "./dashjs-internals.ts";

/** Loads by XMLHttpRequest, as dash.js's own XHRLoader does. What it returns aborts. */
export function loadByXhr(
  request: CommonMediaRequest,
  response: CommonMediaResponse,
  onOver: () => void,
): () => void {
  const { customData } = request;
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
  xhr.onload = () => {
    response.url = xhr.responseURL;
    response.status = xhr.status;
    response.statusText = xhr.statusText;
    response.headers = parseHeaders(xhr.getAllResponseHeaders());
    response.data = xhr.response;
  };
  xhr.onprogress = (event) => customData.onprogress?.(event);
  xhr.ontimeout = (event) => customData.ontimeout?.(event);
  xhr.onabort = () => customData.onabort?.();
  xhr.onloadend = () => {
    onOver();
    customData.onloadend?.();
  };
  xhr.send(request.body ?? null);
  return () => {
    xhr.onloadend = null;
    xhr.onprogress = null;
    xhr.abort();
  };
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
