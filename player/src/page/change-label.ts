import { RULES } from "../rules/registry.ts";
import type { Choices } from "./choices.ts";
import type { LinkState, ServerConfig } from "./server-config.ts";
import { titleOf } from "./title-of.ts";

/** What charts write where choices changed: the title of what holds from there; null where nothing with a name did. */
export function changeLabel(changes: Partial<Choices>, config: ServerConfig): string | null {
  const { scheme, preset, rule, estimator } = changes;
  const titles = [
    scheme === undefined ? undefined : titleOf(config.schemes, scheme),
    preset === undefined ? undefined : titleOf(config.presets, preset),
    rule === undefined ? undefined : titleOf(RULES, rule),
    estimator === undefined ? undefined : `${estimator === "nuwa" ? "receiver’s" : "dash.js’s"} estimate`,
  ].filter((title) => title !== undefined);
  return titles.length === 0 ? null : titles.join(", ");
}

export function linkLabel(link: LinkState | null): string {
  return link === null ? "no emulated link" : link.title;
}
