import type { Side } from "../charts/comparison-charts.ts";
import type { NamedEntry } from "../options/server-config.ts";
import { ESTIMATES, titleOf } from "../page/film/title-of.ts";
import { RULES } from "../rules/registry.ts";
import type { SessionSummary } from "./session-api.ts";
import type { SessionChange } from "./session-series.ts";

type Named = Pick<SessionSummary, "scheme" | "rule">;
type Titled = Pick<NamedEntry, "name" | "title">;
type NamedByServer = Readonly<Record<"schemes" | "schemesNotOffered" | "presets", readonly Titled[]>>;

/** What the pages call what sessions report. */
export class SessionNames {
  readonly #schemes: readonly Titled[];
  readonly #presets: readonly Titled[];

  constructor({ schemes, schemesNotOffered, presets }: NamedByServer) {
    this.#schemes = [...schemes, ...schemesNotOffered];
    this.#presets = presets;
  }

  scheme(name: string | null): string | null {
    return name === null ? null : titleOf(this.#schemes, name);
  }

  rule(name: string | null): string | null {
    return name === null ? null : titleOf(RULES, name);
  }

  /** "Nuwa, NuwaRule": what was chosen last. */
  session(session: Named): string {
    return joined([this.scheme(session.scheme), this.rule(session.rule)]) || "unnamed";
  }

  /** What charts write where something was chosen anew. */
  change({ scheme, preset, rule, estimator }: Omit<SessionChange, "atSeconds">): string {
    const titles = [
      this.scheme(scheme),
      preset === null ? null : titleOf(this.#presets, preset),
      this.rule(rule),
      estimator === null ? null : titleOf(ESTIMATES, estimator),
    ];
    return joined(titles) || "other settings";
  }

  /** Names of two that are shown beside each other, no longer than what tells them apart. */
  pair(left: Named | null, right: Named | null): Readonly<Record<Side, string>> {
    const isShort = left !== null && right !== null && left.scheme !== right.scheme;
    const nameOf = (session: Named | null): string => {
      if (session === null) return "none";
      return (isShort ? this.scheme(session.scheme) : null) ?? this.session(session);
    };
    const names = { left: nameOf(left), right: nameOf(right) };
    if (names.left !== names.right) return names;
    return { left: `${names.left}, left`, right: `${names.right}, right` };
  }
}

const joined = (titles: readonly (string | null)[]): string =>
  titles.filter((title) => title !== null).join(", ");
