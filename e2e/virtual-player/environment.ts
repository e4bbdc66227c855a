/** A window without a browser, and a clock that stands until it is told: what dash.js and the library run in here. */

import FakeTimers from "@sinonjs/fake-timers";
import { Window } from "./happy-dom.ts";
import { VirtualMediaSource } from "./media-source.ts";
import { mediaSources } from "./video-element.ts";

export interface VirtualEnvironment {
  readonly clock: FakeTimers.Clock;
  /** Makes room for the next one; what still waits for a time of this clock waits for ever. */
  leave(): void;
}

export const PAGE_URL = "http://film.test/";

/** When time begins, ms of the epoch: any day will do, if it is the same for Date and performance. */
const OPENED_AT_MS = 86_400_000;

/** Puts both in place; dash.js is to be imported after that. There is one at a time. */
export function enterEnvironment(fetchText: (url: string) => string | null): VirtualEnvironment {
  const window = new Window({ url: PAGE_URL });
  const globals: Record<string, unknown> = {
    window: globalThis,
    self: globalThis,
    document: window.document,
    navigator: window.navigator,
    location: window.location,
    DOMParser: window.DOMParser,
    MediaSource: VirtualMediaSource,
    WebTransport: class {},
    XMLHttpRequest: requestClass(fetchText),
    fetch: fetchWith(fetchText),
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    getComputedStyle: window.getComputedStyle.bind(window),
  };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  Object.assign(URL, { createObjectURL: nameOf, revokeObjectURL: () => undefined });
  const clock = FakeTimers.install({
    now: OPENED_AT_MS,
    toFake: ["Date", "performance", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
  });
  Object.defineProperty(performance, "timeOrigin", { value: OPENED_AT_MS, configurable: true });
  const leave = (): void => {
    clock.uninstall();
    mediaSources.clear();
    void window.happyDOM.close();
  };
  return { clock, leave };
}

function nameOf(source: VirtualMediaSource): string {
  const url = `blob:virtual/${mediaSources.size}`;
  mediaSources.set(url, source);
  return url;
}

/** As much of fetch as JSON takes, without a turn of the event loop: that would be another one each time. */
function fetchWith(fetchText: (url: string) => string | null): unknown {
  return async (url: string) => {
    const text = fetchText(url);
    return { ok: text !== null, json: async () => JSON.parse(text ?? "null") as unknown };
  };
}

/** As much of XMLHttpRequest as a manifest takes: what `fetchText` knows comes at once. */
function requestClass(fetchText: (url: string) => string | null): unknown {
  return class {
    readyState = 0;
    status = 0;
    statusText = "";
    responseURL = "";
    response: string | null = null;
    onload: (() => void) | null = null;
    onloadend: (() => void) | null = null;
    onreadystatechange: (() => void) | null = null;
    #url = "";
    open(_method: string, url: string): void {
      this.#url = url;
    }
    send(): void {
      setTimeout(() => {
        this.readyState = 4;
        this.status = 200;
        this.responseURL = this.#url;
        this.response = fetchText(this.#url);
        this.onreadystatechange?.();
        this.onload?.();
        this.onloadend?.();
      }, 0);
    }
    abort(): void {}
    setRequestHeader(): void {}
    getResponseHeader(): null {
      return null;
    }
    getAllResponseHeaders(): string {
      return "";
    }
  };
}
