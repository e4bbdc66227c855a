import type { ServerConfig } from "../../options/server-config.ts";
import type { Choices } from "../query/choices.ts";

/** Whose measurement the rule sees. */
export const ESTIMATES = [
  { name: "receiver", title: "receiver’s estimate" },
  { name: "dashjs", title: "dash.js’s estimate" },
] as const;

/** What a name is called in a menu; itself where no entry has it. */
export function titleOf(
  entries: readonly { readonly name: string; readonly title: string }[],
  name: string,
): string {
  return entries.find((entry) => entry.name === name)?.title ?? name;
}

/** By what congestion is controlled: over HTTP by no scheme of the menu. */
export function controlTitle(
  { scheme, transport }: Pick<Choices, "scheme" | "transport">,
  { schemes }: Pick<ServerConfig, "schemes">,
): string {
  return transport === "http" ? "HTTP" : titleOf(schemes, scheme);
}
