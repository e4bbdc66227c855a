import type { Side } from "../charts/comparison-charts.ts";
import { titleOf } from "../page/film/title-of.ts";
import type { ServerConfig } from "../page/server-config.ts";
import { RULES } from "../rules/registry.ts";
import type { SessionSummary } from "./session-api.ts";

type Named = Pick<SessionSummary, "scheme" | "rule">;

/** What the pages call what sessions report. */
export class SessionNames {
  readonly #schemes: ServerConfig["schemesNotOffered"];

  constructor({ schemes, schemesNotOffered }: Pick<ServerConfig, "schemes" | "schemesNotOffered">) {
    this.#schemes = [...schemes, ...schemesNotOffered];
  }

  scheme(name: string | null): string | null {
    return name === null ? null : titleOf(this.#schemes, name);
  }

  rule(name: string | null): string | null {
    return name === null ? null : titleOf(RULES, name);
  }

  /** "Nuwa, NuwaRule": what was chosen last. */
  session(session: Named): string {
    return this.#joined(session) || "unnamed";
  }

  /** What charts write where something was chosen anew. */
  change(change: Named): string {
    return this.#joined(change) || "other settings";
  }

  /** Names of two that are shown beside each other, no longer than what tells them apart. */
  pair(left: Named | null, right: Named | null): Readonly<Record<Side, string>> {
    const isShort = left !== null && right !== null && left.scheme !== right.scheme;
    const nameOf = (session: Named | null): string => {
      if (session === null) return "none";
      return (isShort ? this.scheme(session.scheme) : null) ?? this.session(session);
    };
    return { left: nameOf(left), right: nameOf(right) };
  }

  #joined({ scheme, rule }: Named): string {
    return [this.scheme(scheme), this.rule(rule)].filter((word) => word !== null).join(", ");
  }
}
