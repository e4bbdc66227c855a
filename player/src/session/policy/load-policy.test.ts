import { readFileSync } from "node:fs";
import * as onnx from "onnxruntime-web/wasm";
import { describe, expect, it } from "vitest";
import { NuwaRl } from "../../../../cc/receiver/nuwa-rl.ts";
import { loadPolicy, MAX_MODEL_BYTES } from "./load-policy.ts";
import type { PolicyFiles } from "./policy-files.ts";
import { policyRuntime, type RuntimeSession } from "./policy-runtime.ts";

const space = NuwaRl.policySpace;
const URLS = { cardUrl: "card", modelUrl: "model", runtimeUrl: "runtime", wasmUrl: "wasm" };

const read = (name: string): Buffer =>
  readFileSync(new URL(`../../../../models/testdata/${name}`, import.meta.url));
const cardOf = (name: string) => JSON.parse(read(`${name}.json`).toString());

interface Served {
  readonly name?: string;
  /** null: not there. */
  readonly card?: object | string | ReadableStream | null;
  readonly model?: Uint8Array | ReadableStream | null;
  readonly startRuntime?: (files: PolicyFiles) => Promise<ReturnType<typeof policyRuntime>>;
}

/** Loads a policy as a server has it: the sample of that name, but for what is given instead. */
function load({ name = "recurrent", card = cardOf(name), model = read(`${name}.onnx`), ...given }: Served) {
  const bodies: Record<string, BodyInit | null> = {
    card:
      card === null || typeof card === "string" || card instanceof ReadableStream
        ? card
        : JSON.stringify(card),
    model: model as BodyInit | null,
  };
  return loadPolicy(
    { name, ...URLS },
    {
      space,
      fetch: async (url) => new Response(bodies[url] ?? "404", { status: bodies[url] === null ? 404 : 200 }),
      startRuntime: given.startRuntime ?? (async () => policyRuntime(onnx, null)),
    },
  );
}

const OBSERVATION = [150_000, 60_000, 0, 0.02];

describe("a policy", () => {
  it("is loaded and decides, with a memory that begins empty", async () => {
    const [one, other] = [await load({}), await load({})];
    const first = await one.answer(OBSERVATION);
    const second = await one.answer(OBSERVATION);
    expect(first).toHaveLength(5);
    expect(second).not.toEqual(first);
    expect(await other.answer(OBSERVATION)).toEqual(first);
  });

  it("without a memory answers the same each time", async () => {
    const runner = await load({ name: "feed-forward" });
    expect(await runner.answer(OBSERVATION)).toEqual(await runner.answer(OBSERVATION));
  });

  it("that gives no number decides nothing", async () => {
    const runner = await load({ name: "not-a-number" });
    expect(await runner.decide(OBSERVATION)).toBeNull();
  });

  it("leaves the thread to others while it warms up", async () => {
    let runs = 0;
    let runsBeforeOthers = Number.POSITIVE_INFINITY;
    const runtime = policyRuntime(onnx, null);
    const startSession = async (model: Uint8Array): Promise<RuntimeSession> => {
      const session = await runtime.startSession(model);
      const run: RuntimeSession["run"] = (inputs) => {
        if (runs === 0) {
          setTimeout(() => {
            runsBeforeOthers = runs;
          });
        }
        runs += 1;
        return session.run(inputs);
      };
      return { ...session, run };
    };
    await load({ startRuntime: async () => ({ ...runtime, startSession }) });
    expect(runsBeforeOthers).toBeLessThan(runs / 2);
  });
});

describe("refused is a policy", () => {
  const refusals: [string, Served, string, RegExp][] = [
    ["that is not there", { card: null }, "its policy recurrent is not on the server", /card answers 404/],
    ["without its model", { model: null }, "its policy recurrent is not on the server", /model answers 404/],
    [
      "whose card is no JSON",
      { card: "<html>" },
      "the card of its policy recurrent is no JSON",
      /SyntaxError/,
    ],
    [
      "whose card lacks a field",
      { card: { ...cardOf("recurrent"), history: undefined } },
      "the card of its policy cannot be read",
      /history is undefined/,
    ],
    [
      "whose card has another format",
      { card: { ...cardOf("recurrent"), format: 2 } },
      "the card of its policy cannot be read",
      /format 2 is not 1/,
    ],
    [
      "whose model was cut short",
      { model: read("recurrent.onnx").subarray(0, 1000) },
      "the model of its policy recurrent is damaged, or another than its card names",
      /1000 bytes have SHA-256/,
    ],
    [
      "with another's model",
      { model: read("feed-forward.onnx") },
      "the model of its policy recurrent is damaged, or another than its card names",
      /the card says/,
    ],
    [
      "that is too large",
      { model: new Uint8Array(MAX_MODEL_BYTES + 1) },
      "the model of its policy recurrent is too large",
      /2000001 bytes/,
    ],
    [
      "of another name, with all that is its",
      { card: { ...cardOf("recurrent"), name: "another" } },
      "its policy recurrent has the card of another",
      /card is that of another/,
    ],
    [
      "made for another range",
      { card: { ...cardOf("recurrent"), history: 2 } },
      "its policy recurrent was made for other features, history or actions than it has",
      /the card says/,
    ],
  ];
  it.each(refusals)("%s", async (_what, served, message, detail) => {
    const error = await load(served).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ name: "PolicyError", message });
    expect((error as { detail: string }).detail).toMatch(detail);
  });

  it("whose model has other inputs than its card says", async () => {
    const card = cardOf("feed-forward");
    const model = { ...card.model, recurrent_units: 8 };
    await expect(load({ name: "feed-forward", card: { ...card, model } })).rejects.toMatchObject({
      message: "the model of its policy feed-forward has other inputs or outputs than its card says",
    });
  });

  it("whose model is none", async () => {
    const model = new TextEncoder().encode("no model");
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", model)).toString("hex");
    const card = cardOf("recurrent");
    const loading = load({ card: { ...card, model: { ...card.model, sha256: digest } }, model });
    await expect(loading).rejects.toMatchObject({ message: "its policy recurrent cannot be run" });
  });

  it.each(["card", "model"])("whose %s breaks off while it is fetched", async (file) => {
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new Uint8Array(100));
        controller.error(new TypeError("network error"));
      },
    });
    await expect(load({ [file]: broken })).rejects.toMatchObject({
      name: "PolicyError",
      message: "its policy recurrent cannot be fetched",
      detail: `${file}: TypeError: network error`,
    });
  });

  it("whose model fails when it is run", async () => {
    const runtime = policyRuntime(onnx, null);
    const startSession = async (model: Uint8Array): Promise<RuntimeSession> => ({
      ...(await runtime.startSession(model)),
      run: () => Promise.reject(new Error("out of memory")),
    });
    await expect(load({ startRuntime: async () => ({ ...runtime, startSession }) })).rejects.toMatchObject({
      name: "PolicyError",
      message: "its policy recurrent cannot be run",
      detail: "Error: out of memory",
    });
  });

  it("for which the runtime cannot be had; the runtime of an unsound one is not asked for", async () => {
    let asked = 0;
    const startRuntime = () => {
      asked += 1;
      return Promise.reject(new Error("Failed to fetch"));
    };
    await expect(load({ startRuntime })).rejects.toMatchObject({
      message: "onnxruntime-web, which runs its policy, cannot be loaded",
      detail: "Error: Failed to fetch",
    });
    await load({ startRuntime, card: null }).catch(() => undefined);
    expect(asked).toBe(1);
  });
});
