import type { LinkState, ServerConfig } from "../../options/server-config.ts";
import { RULES } from "../../rules/registry.ts";
import type { Choices } from "../query/choices.ts";
import { lossText, queueText } from "../words/sentences.ts";
import { ESTIMATES, titleOf } from "./title-of.ts";

/** What charts write where choices changed: the title of what holds from there; null where nothing with a name did. */
export function changeLabel(changes: Partial<Choices>, config: ServerConfig): string | null {
  const { scheme, preset, rule, estimator } = changes;
  const titles = [
    scheme === undefined ? undefined : titleOf(config.schemes, scheme),
    preset === undefined ? undefined : titleOf(config.presets, preset),
    rule === undefined ? undefined : titleOf(RULES, rule),
    estimator === undefined ? undefined : titleOf(ESTIMATES, estimator),
  ].filter((title) => title !== undefined);
  return titles.length === 0 ? null : titles.join(", ");
}

export function linkLabel(link: LinkState | null): string {
  return link === null ? "no emulated link" : link.title;
}

/** As `linkLabel`, with those of its numbers that were others before: by its title alone nobody would see them change. */
export function linkChangeLabel(link: LinkState | null, former: LinkState | null): string {
  if (link === null || former === null) {
    return linkLabel(link);
  }
  const { delayMs, queuePackets, lossRatio } = link;
  const numbers = [
    delayMs === former.delayMs ? undefined : `${delayMs} ms each way`,
    queuePackets === former.queuePackets ? undefined : queueText(queuePackets),
    lossRatio === former.lossRatio ? undefined : lossText(lossRatio),
  ].filter((number) => number !== undefined);
  return [linkLabel(link), ...numbers].join(", ");
}
