/** All that learned schemes need beside themselves: fetched with the first one that is chosen. */

import type { Learned, PolicySpace } from "../../../../cc/receiver/decision.ts";
import type { ReceiverScheme } from "../../../../cc/receiver/receiver-scheme.ts";
import { LearnedScheme } from "./learned-scheme.ts";
import { importRuntime, loadPolicy } from "./load-policy.ts";
import { PolicyError } from "./policy-error.ts";
import type { PolicyFiles } from "./policy-files.ts";

/**
 * Starting a policy's runtime keeps the worker busy for some tenths of a second, which stamps would show as queueing
 * delay: the session is opened after it, but no later than this, for whoever has a slow network.
 */
const POLICY_HEAD_START_MS = 1000;
/** Of 2 MB at most, over a slow link; the scheme runs its heuristic meanwhile. */
const FILE_LIMIT_MS = 60_000;

/** A learned scheme that loads its policy; there when the session may be opened. */
export async function learn(
  scheme: ReceiverScheme & Learned,
  schemeName: string,
  policy: PolicyFiles | null,
): Promise<LearnedScheme> {
  const learned = new LearnedScheme({
    scheme,
    schemeName,
    policyName: policy?.name ?? schemeName,
    nowMs: () => performance.now(),
  });
  const headStart = new Promise<void>((resolve) => setTimeout(resolve, POLICY_HEAD_START_MS));
  await Promise.race([learned.use(load(policy, spaceOf(scheme))), headStart]);
  return learned;
}

async function load(policy: PolicyFiles | null, space: PolicySpace) {
  if (policy === null) {
    throw new PolicyError("no policies are given");
  }
  const fetchInTime = (url: string) => fetch(url, { signal: AbortSignal.timeout(FILE_LIMIT_MS) });
  return loadPolicy(policy, { space, fetch: fetchInTime, startRuntime: importRuntime });
}

/** A static of the scheme's class, as cc/receiver/decision.ts asks for. */
function spaceOf(scheme: Learned): PolicySpace {
  return (scheme.constructor as unknown as { readonly policySpace: PolicySpace }).policySpace;
}
