import { beforeEach, expect, it, vi } from "vitest";
import type { OpenOptions, ToPage, ToWorker } from "../messages.ts";

const options = {
  serverUrl: "https://127.0.0.1:4433",
  certificateHashes: ["aGFzaA=="],
  sessionToken: null,
  parameters: { scheme: "nuwa" },
  policy: null,
} as unknown as OpenOptions;

let toWorker: (event: { readonly data: ToWorker }) => void;
let told: ToPage[];

beforeEach(() => {
  told = [];
  vi.stubGlobal("self", {
    addEventListener: (_type: string, listener: typeof toWorker) => {
      toWorker = listener;
    },
    postMessage: (message: ToPage) => told.push(message),
  });
});

it("does not blame the server for a receiver that cannot be made", async () => {
  const { servePage } = await import("./serve-page.ts");
  servePage({ makeScheme: () => Promise.reject(new RangeError("k must lie in [1, 9], not 20")) });
  toWorker({ data: { kind: "open", options } });
  await vi.waitFor(() => expect(told).toHaveLength(1));
  const reason = "the receiver failed (k must lie in [1, 9], not 20)";
  expect(told).toEqual([{ kind: "closed", why: { kind: "lost", wasOpen: false, closeCode: null, reason } }]);
});
