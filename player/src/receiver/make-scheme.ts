import { isLearned, type Learned, type PolicySpace } from "../../../cc/receiver/decision.ts";
import type { ReceiverScheme } from "../../../cc/receiver/receiver-scheme.ts";
import { makeReceiver } from "../../../cc/receiver/registry.ts";
import { LearnedReceiver } from "../policy/learned-receiver.ts";
import { importRuntime, loadPolicy } from "../policy/load-policy.ts";
import { PolicyError } from "../policy/policy-error.ts";
import type { OpenOptions } from "./messages.ts";

/**
 * Starting a policy's runtime keeps the worker busy for some tenths of a second, which stamps would show as queueing
 * delay: the session is opened after it, but no later than this, for whoever has a slow network.
 */
export const POLICY_HEAD_START_MS = 1000;

export interface MadeScheme {
  readonly scheme: ReceiverScheme;
  /** null for a scheme that asks no policy. */
  readonly learned: LearnedReceiver | null;
  /** When the session may be opened. Never rejects. */
  readonly ready: Promise<void>;
}

/** The receiver of the session's scheme. A learned one begins to load its policy at once. */
export function makeScheme({ parameters, policy }: Pick<OpenOptions, "parameters" | "policy">): MadeScheme {
  const scheme = makeReceiver(parameters.scheme, {
    targetDelaySeconds: parameters.targetDelayMs / 1000,
    rhoSeconds: parameters.rhoMs / 1000,
    k: parameters.k,
  });
  if (!isLearned(scheme)) {
    return { scheme, learned: null, ready: Promise.resolve() };
  }
  const policyName = policy?.name ?? parameters.scheme;
  const learned = new LearnedReceiver({ scheme, policyName, nowMs: () => performance.now() });
  const loading =
    policy === null
      ? Promise.reject(new PolicyError("no policies are given"))
      : loadPolicy(policy, {
          space: spaceOf(scheme),
          fetch: (url) => fetch(url),
          startRuntime: importRuntime,
        });
  const headStart = new Promise<void>((resolve) => setTimeout(resolve, POLICY_HEAD_START_MS));
  return { scheme: learned, learned, ready: Promise.race([learned.use(loading), headStart]) };
}

/** A static of the scheme's class, as cc/receiver/decision.ts asks for. */
function spaceOf(scheme: Learned): PolicySpace {
  return (scheme.constructor as unknown as { readonly policySpace: PolicySpace }).policySpace;
}
