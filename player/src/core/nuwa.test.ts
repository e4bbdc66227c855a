import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type {
  FetchRequest,
  FetchResponse,
  WorkerSession,
  WorkerSessionOptions,
} from "../session/worker-session.ts";
import type { NuwaCore, NuwaCoreOptions } from "./nuwa-types.ts";
import { openCore } from "./open-core.ts";

const SERVER = {
  url: "https://127.0.0.1:4433",
  certificateHashes: ["q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="],
};

let nuwa: NuwaCore;
let opened: WorkerSessionOptions | null;
let asked: FetchRequest[];
let answer: (request: FetchRequest) => Promise<FetchResponse>;

beforeEach(() => {
  vi.stubGlobal("document", {
    baseURI: "http://localhost:8080/page.html",
    addEventListener: () => undefined,
  });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("WebTransport", class {});
  vi.spyOn(console, "warn").mockReturnValue();
  opened = null;
  asked = [];
  answer = () => Promise.resolve(whole(200, 3));
  nuwa = openFake({ server: SERVER, baseUrl: "/film" });
});

function openFake(options: NuwaCoreOptions): NuwaCore {
  return openCore(options, (sessionOptions) => {
    opened = sessionOptions;
    const session: WorkerSession = {
      ready: Promise.resolve(),
      closed: new Promise(() => undefined),
      probe: () => undefined,
      tell: () => undefined,
      close: () => undefined,
      request: (request) => {
        asked.push(request);
        return answer(request);
      },
    };
    return session;
  });
}

afterEach(() => {
  nuwa.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function whole(status: 200 | 404, bytes: number): FetchResponse {
  const head = { status, lengthBytes: bytes, totalBytes: bytes, type: "video/mp4", reason: null };
  return { head, body: new ArrayBuffer(bytes), bodyBytes: bytes, endedAtMs: 0 };
}

describe("a segment", () => {
  it("comes over the session, by its path in the served folder", async () => {
    const { status, headers, body, cameBy } = await nuwa.fetch("/film/a%20b/seg-1.m4s", { range: [2, 4] });
    expect([status, headers["content-type"], body.byteLength, cameBy]).toEqual([
      200,
      "video/mp4",
      3,
      "webtransport",
    ]);
    expect(asked.map(({ path, range }) => [path, range])).toEqual([["a b/seg-1.m4s", [2, 4]]]);
  });

  it("comes over HTTP where the media server does not serve it", async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response("four")));
    vi.stubGlobal("fetch", fetched);
    const { body, cameBy } = await nuwa.fetch("/elsewhere/seg-1.m4s", { range: [0, 3] });
    expect([body.byteLength, cameBy, asked.length]).toEqual([4, "http", 0]);
    expect(fetched).toHaveBeenCalledWith("http://localhost:8080/elsewhere/seg-1.m4s", {
      headers: new Headers({ range: "bytes=0-3" }),
      credentials: "same-origin",
      signal: expect.any(AbortSignal),
    });
  });

  it("comes over HTTP where the media server has it not", async () => {
    answer = () => Promise.resolve(whole(404, 0));
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("four")));
    const { status, cameBy } = await nuwa.fetch("/film/new.m4s");
    expect([status, cameBy]).toEqual([200, "http"]);
    expect(console.warn).toHaveBeenCalledExactlyOnceWith(
      "http://localhost:8080/film/new.m4s is fetched over HTTP, since the media server lacks it: it has what is below baseUrl http://localhost:8080/film/",
    );
  });

  it("is asked for with the headers and credentials that are said, and its range once", async () => {
    answer = () => Promise.resolve(whole(404, 0));
    const sent: unknown[] = [];
    vi.stubGlobal("fetch", (_url: string, { headers, credentials }: RequestInit) => {
      sent.push([credentials, ...new Headers(headers)]);
      return Promise.resolve(new Response("four"));
    });
    const said = { headers: { authorization: "token", Range: "bytes=0-3" }, credentials: "include" } as const;
    await nuwa.fetch("/film/seg-1.m4s", { ...said, range: [0, 3] });
    await nuwa.fetch("/elsewhere/seg-1.m4s", { ...said, range: [0, 3] });
    const whatIsSent = ["include", ["authorization", "token"], ["range", "bytes=0-3"]];
    expect(sent).toEqual([whatIsSent, whatIsSent]);
  });

  it("comes over either way in a browser without AbortSignal.any", async () => {
    vi.stubGlobal("AbortSignal", class {});
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("four")));
    expect((await nuwa.fetch("/film/seg-1.m4s")).cameBy).toBe("webtransport");
    answer = () => Promise.resolve(whole(404, 0));
    expect((await nuwa.fetch("/film/seg-1.m4s")).cameBy).toBe("http");
  });

  it("comes over HTTP where its path cannot be decoded", async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response("four")));
    vi.stubGlobal("fetch", fetched);
    expect(nuwa.serves("/film/100%.m4s")).toBe(false);
    expect((await nuwa.fetch("/film/100%.m4s")).cameBy).toBe("http");
    expect(fetched).toHaveBeenCalledWith("http://localhost:8080/film/100%.m4s", expect.anything());
  });

  it("comes once, also where the page's listener to its progress fails, which is reported", async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response("four")));
    vi.stubGlobal("fetch", fetched);
    const reported = vi.fn();
    vi.stubGlobal("reportError", reported);
    nuwa.close();
    const bug = new TypeError("undefined has no such property");
    const onProgress = () => {
      throw bug;
    };
    expect((await nuwa.fetch("/film/seg-1.m4s", { onProgress })).body.byteLength).toBe(4);
    expect([fetched.mock.calls.length, reported.mock.calls[0]]).toEqual([1, [bug]]);
  });

  it.each([
    ["nobody answers over HTTP", (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"))],
    ["a proxy says so", (): Promise<Response> => Promise.resolve(new Response("", { status: 502 }))],
  ])("is asked for again while %s", async (_who, first) => {
    const fetched = vi.fn(() => Promise.resolve(new Response("four")));
    fetched.mockImplementationOnce(first);
    vi.stubGlobal("fetch", fetched);
    nuwa.close();
    vi.useFakeTimers();
    const answered = nuwa.fetch("/film/seg-1.m4s");
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect([(await answered).body.byteLength, fetched.mock.calls.length]).toEqual([4, 2]);
  });

  it("counts no byte of a proxy's page as the film's", async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response("four")));
    fetched.mockResolvedValueOnce(new Response("<html>Bad Gateway", { status: 502 }));
    vi.stubGlobal("fetch", fetched);
    nuwa.close();
    vi.useFakeTimers();
    const seen: number[] = [];
    const answered = nuwa.fetch("/film/seg-1.m4s", {
      onProgress: ({ loadedBytes }) => seen.push(loadedBytes),
    });
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    await answered;
    expect(seen.filter((bytes) => bytes > 0)).toEqual([4]);
  });

  it("is refused at once with a header that is none", async () => {
    nuwa.close();
    await expect(nuwa.fetch("/film/seg-1.m4s", { headers: { "bad header": "" } })).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });

  it("is missing where the web server does not answer either", async () => {
    answer = () => Promise.resolve(whole(404, 0));
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const { status, cameBy } = await nuwa.fetch("/film/new.m4s");
    expect([status, cameBy]).toEqual([404, "webtransport"]);
  });

  it("rejects with the signal's reason", async () => {
    const cancel = new AbortController();
    answer = ({ signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const fetched = nuwa.fetch("/film/seg-1.m4s", { signal: cancel.signal });
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    cancel.abort(new Error("not wanted"));
    await expect(fetched).rejects.toThrow("not wanted");
  });
});

it("tells of estimates until it is closed", async () => {
  await nuwa.fetch("/film/seg-1.m4s");
  const heard = vi.fn();
  nuwa.on("estimate", heard);
  const estimate = { bandwidthBitsPerSecond: 5e6, policy: null } as NetworkEstimate;
  opened?.onMeasured?.(estimate, new Float64Array());
  expect(heard.mock.calls).toEqual([[estimate]]);
  expect(nuwa.estimate()?.bandwidthBitsPerSecond).toBe(5e6);
  nuwa.close();
  opened?.onMeasured?.({ ...estimate, atMs: 1 }, new Float64Array());
  expect(heard).toHaveBeenCalledOnce();
});

it("fetches what is open over HTTP once it is closed, also where nothing falls back", async () => {
  nuwa.close();
  nuwa = openFake({ server: SERVER, baseUrl: "/film", fallback: false });
  answer = () => new Promise(() => undefined);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("four")));
  const fetched = nuwa.fetch("/film/seg-1.m4s");
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  nuwa.close();
  expect(await fetched).toMatchObject({ status: 200, cameBy: "http" });
  expect(nuwa.path()).toEqual({ kind: "http", reason: "closed" });
});

it("warns once of segments that lie outside, unless there is no media server", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("four")));
  const without = openFake({ server: null, baseUrl: "/film" });
  for (const core of [nuwa, without]) {
    for (const name of ["seg-1.m4s", "seg-2.m4s"]) await core.fetch(`/elsewhere/${name}`);
  }
  expect(vi.mocked(console.warn).mock.calls).toEqual([
    [
      "http://localhost:8080/elsewhere/seg-1.m4s is fetched over HTTP, since the media server lacks it: it has what is below baseUrl http://localhost:8080/film/",
    ],
  ]);
});

it("says how the session stands, and refuses a need that makes no sense whether or not it is open", async () => {
  const nonsense = { rateBytesPerSecond: 1e6, bufferSeconds: Number.NaN, fullBufferSeconds: 18 };
  const message = "bufferSeconds of a need must be finite and not negative, not NaN";
  expect(() => nuwa.tell(nonsense)).toThrow(message);
  await vi.waitFor(() => expect(nuwa.session()).toEqual({ kind: "open" }));
  expect(() => nuwa.tell(nonsense)).toThrow(message);
  expect(openFake({ server: null, baseUrl: "/film" }).session()).toBeNull();
});

it("takes URL objects wherever it takes a URL", async () => {
  const nuwa = openFake({ server: SERVER, baseUrl: new URL("https://film.example/film") });
  expect(nuwa.serves(new URL("https://film.example/film/seg-1.m4s"))).toBe(true);
  expect(nuwa.serves(new URL("https://film.example/other/seg-1.m4s"))).toBe(false);
  const fetched = vi.fn(async () => new Response("four"));
  vi.stubGlobal("fetch", fetched);
  await nuwa.fetch(new URL("https://film.example/other/seg-1.m4s"));
  expect(fetched).toHaveBeenCalledWith("https://film.example/other/seg-1.m4s", expect.anything());
});

it("refuses a URL that is none, before it opens a session", () => {
  opened = null;
  expect(() => openFake({ server: SERVER, baseUrl: "http://" })).toThrow("baseUrl is no URL: http://");
  expect(() => openFake({ server: "http://[bad", baseUrl: "/film/" })).toThrow(
    "server is no URL: http://[bad",
  );
  expect(opened).toBeNull();
});

it.each([null, undefined])(
  "refuses %s for the folder's URL, which would be a folder of that name",
  (baseUrl) => {
    const options = { server: SERVER, baseUrl: baseUrl as unknown as string };
    expect(() => openFake(options)).toThrow(`baseUrl must be of type string or URL, not ${baseUrl}.`);
  },
);

it("refuses a preset that there is not, before it opens a session", () => {
  const preset = "slow" as "live";
  expect(() => openFake({ server: SERVER, baseUrl: "/film", preset })).toThrow("There is no preset slow");
});
