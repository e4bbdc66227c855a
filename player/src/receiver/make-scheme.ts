import { isLearned } from "../../../cc/receiver/decision.ts";
import type { ReceiverScheme } from "../../../cc/receiver/receiver-scheme.ts";
import { makeReceiver } from "../../../cc/receiver/registry.ts";
import type { LearnedReceiver } from "../policy/learned-receiver.ts";
import type { OpenOptions } from "./messages.ts";

export interface MadeScheme {
  readonly scheme: ReceiverScheme;
  /** null for a scheme that asks no policy. */
  readonly learned: LearnedReceiver | null;
}

/** The receiver of the session's scheme; there when the session may be opened. */
export async function makeScheme({
  parameters: { scheme: name, targetDelayMs, rhoMs, k },
  policy,
}: Pick<OpenOptions, "parameters" | "policy">): Promise<MadeScheme> {
  const scheme = makeReceiver(name, {
    targetDelaySeconds: targetDelayMs / 1000,
    rhoSeconds: rhoMs / 1000,
    k,
  });
  if (!isLearned(scheme)) {
    return { scheme, learned: null };
  }
  const { learn } = await import("../policy/learn.ts");
  const learned = await learn(scheme, name, policy);
  return { scheme: learned, learned };
}
