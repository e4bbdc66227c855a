import type { Decision, OwnRule } from "../rules/rule.ts";

/** A rule's own mistake, in one sentence. */
export class RuleFault extends Error {
  override readonly name = "RuleFault";
}

/** What a rule answers. Throws RuleFault for whatever it throws. */
export function answerOf<T>({ title }: OwnRule, ask: () => T): T {
  try {
    return ask();
  } catch (cause) {
    throw new RuleFault(`The rule ${title} threw ${String(cause)}; mend it, and see the console for where.`, {
      cause,
    });
  }
}

/** Of an answer that is no place in the ladder. */
export function noRungFault({ title }: OwnRule, decision: Decision | undefined, rungs: number): RuleFault {
  const range = `a whole number from 0 to ${rungs - 1}`;
  return new RuleFault(`The rule ${title} answered rung ${decision?.index}; let it answer ${range}.`);
}
