import { isLearned } from "../../../../cc/receiver/decision.ts";
import type { ReceiverScheme } from "../../../../cc/receiver/receiver-scheme.ts";
import { makeReceiver } from "../../../../cc/receiver/registry.ts";
import type { OpenOptions } from "../messages.ts";
import type { LearnedScheme } from "../policy/learned-scheme.ts";
import { schemeParametersOf } from "./scheme-parameters.ts";

/** The most that fetching and starting a policy may take. */
const STARTING_MS = 20_000;

/** How a worker makes the receiver of a session's scheme. */
export type MakeScheme = (
  options: Pick<OpenOptions, "parameters" | "policy">,
  /** Is told that the thread may be kept busy for so long. */
  onBusy: (forMs: number) => void,
) => Promise<MadeScheme>;

export interface MadeScheme {
  readonly scheme: ReceiverScheme;
  /** null for a scheme that asks no policy. */
  readonly learned: LearnedScheme | null;
}

/**
 * The receiver of the session's scheme; there when the session may be opened.
 *
 * @param onBusy is told that the thread may be kept busy for so long
 */
export async function makeScheme(
  { parameters, policy }: Pick<OpenOptions, "parameters" | "policy">,
  onBusy: (forMs: number) => void,
): Promise<MadeScheme> {
  const { scheme: name } = parameters;
  const scheme = makeReceiver(name, schemeParametersOf(parameters));
  if (!isLearned(scheme)) {
    return { scheme, learned: null };
  }
  onBusy(STARTING_MS);
  const { learn } = await import("../policy/learn.ts");
  const learned = await learn(scheme, name, policy);
  return { scheme: learned, learned };
}
