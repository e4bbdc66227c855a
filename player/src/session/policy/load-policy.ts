import type { PolicySpace } from "../../../../cc/receiver/decision.ts";
import { type PolicyCard, readCard, requireSpace } from "./policy-card.ts";
import { PolicyError } from "./policy-error.ts";
import type { PolicyFiles } from "./policy-files.ts";
import { PolicyRunner } from "./policy-runner.ts";
import { type PolicyRuntime, policyRuntime } from "./policy-runtime.ts";

/** As models/policies/policy.py has it. */
export const MAX_MODEL_BYTES = 2_000_000;

export interface LoadingOptions {
  /** What the policy's scheme shows and takes. */
  readonly space: PolicySpace;
  readonly fetch: (url: string) => Promise<Response>;
  /** Rejects where there is none. */
  readonly startRuntime: (files: PolicyFiles) => Promise<PolicyRuntime>;
}

/** Fetches a policy and checks it; the runtime, which is large, only for one that is sound. Throws PolicyError. */
export async function loadPolicy(
  files: PolicyFiles,
  { space, fetch, startRuntime }: LoadingOptions,
): Promise<PolicyRunner> {
  const { name, cardUrl, modelUrl } = files;
  const [card, model] = await Promise.all([
    fetchFile(cardUrl, name, fetch).then((bytes) => toCard(bytes, name)),
    fetchFile(modelUrl, name, fetch),
  ]);
  if (card.name !== name) {
    throw new PolicyError(`its policy ${name} has the card of another`, `${cardUrl} is that of ${card.name}`);
  }
  requireSpace(card, space);
  await requireModel(card, model);
  const runtime = await startRuntime(files).catch((error: unknown) => {
    throw new PolicyError("onnxruntime-web, which runs its policy, cannot be loaded", String(error));
  });
  return PolicyRunner.start(card, new Uint8Array(model), runtime);
}

/** By the browser's own import, when a policy is there that needs it. */
export async function importRuntime({ runtimeUrl, wasmUrl }: PolicyFiles): Promise<PolicyRuntime> {
  return policyRuntime(await import(/* @vite-ignore */ runtimeUrl), wasmUrl);
}

async function fetchFile(url: string, name: string, fetch: LoadingOptions["fetch"]): Promise<ArrayBuffer> {
  const refuse = (error: unknown): never => {
    throw new PolicyError(`its policy ${name} cannot be fetched`, `${url}: ${error}`);
  };
  const response = await fetch(url).catch(refuse);
  if (!response.ok) {
    const why = response.status === 404 ? "is not on the server" : "cannot be fetched";
    throw new PolicyError(`its policy ${name} ${why}`, `${url} answers ${response.status}`);
  }
  return response.arrayBuffer().catch(refuse);
}

function toCard(bytes: ArrayBuffer, name: string): PolicyCard {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new PolicyError(`the card of its policy ${name} is no JSON`, String(error));
  }
  return readCard(json);
}

async function requireModel({ name, sha256 }: PolicyCard, model: ArrayBuffer): Promise<void> {
  if (model.byteLength > MAX_MODEL_BYTES) {
    throw new PolicyError(
      `the model of its policy ${name} is too large`,
      `${model.byteLength} bytes, and ${MAX_MODEL_BYTES} are the most`,
    );
  }
  const digest = hexadecimal(await crypto.subtle.digest("SHA-256", model));
  if (digest !== sha256) {
    throw new PolicyError(
      `the model of its policy ${name} is damaged, or another than its card names`,
      `its ${model.byteLength} bytes have SHA-256 ${digest}, and the card says ${sha256}`,
    );
  }
}

function hexadecimal(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
