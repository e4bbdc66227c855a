import { SIDES, type Side } from "../charts/comparison-charts.ts";
import { KEPT } from "../page/dom/keep-in-links.ts";
import { type UnknownParameters, unknownTo } from "../page/query/parameters.ts";
import type { SessionSummary } from "./session-api.ts";

export interface ChosenSessions {
  readonly sids: Readonly<Record<Side, string | null>>;
  /** Asked for in the query, and not in the list. */
  readonly unknown: string | null;
}

/** As `unknownParameters` of one film. */
export function unknownSessionParameters(query: URLSearchParams): UnknownParameters | null {
  return unknownTo(query, [...SIDES, ...KEPT]);
}

/**
 * Which sessions a query means: `left=SID&right=SID`; of a side without a word the newest that the other has not. One that
 * reported nothing to be drawn, since its page was closed at once or has just been opened, is the last to be taken. Pure.
 */
export function chosenSessions(
  query: URLSearchParams,
  newestFirst: readonly Pick<SessionSummary, "sid" | "meanKbps">[],
): ChosenSessions {
  const known = (sid: string | null): string | null =>
    newestFirst.find((session) => session.sid === sid)?.sid ?? null;
  const asked = { left: known(query.get("left")), right: known(query.get("right")) };
  const unknown =
    SIDES.map((side) => query.get(side)).find((sid) => sid !== null && known(sid) === null) ?? null;
  const isEmpty = ({ meanKbps }: (typeof newestFirst)[number]): boolean => meanKbps === null;
  const free = [...newestFirst.filter((session) => !isEmpty(session)), ...newestFirst.filter(isEmpty)]
    .map(({ sid }) => sid)
    .filter((sid) => sid !== asked.left && sid !== asked.right);
  // The newest stands at the right: what came later is judged beside what was before.
  const right = asked.right ?? free.shift() ?? null;
  const left = asked.left ?? free.shift() ?? null;
  return { sids: { left, right }, unknown };
}
