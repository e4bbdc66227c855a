import { statSync } from "node:fs";
import type { LinkChoice } from "../link/link-control.ts";
import { canonicalLink, isRate } from "./link-limits.ts";
import type { LinkOption } from "./options.ts";
import { Problem } from "./problem.ts";
import { askForJson, askPython } from "./registry.ts";

const NO_LINK: LinkChoice = {
  name: "none",
  title: "No emulated link",
  summary: "What lies between browser and server, as it is.",
};

/** The links that transport/ can emulate, none first. */
export function readLinks(): LinkChoice[] {
  const links = askForJson("links", "transport", "links", "--json") as LinkChoice[];
  return [NO_LINK, ...links.map(({ name, title, summary }) => ({ name, title, summary }))];
}

/**
 * A link that is none of the list, a rate or a trace file, is read as the relay will read it.
 *
 * @param link as `chooseLink` gives it
 * @throws Problem saying what is wrong with it
 */
export function requireReadableLink(link: string | null, links: readonly LinkChoice[]): void {
  if (link === null || links.some(({ name }) => name === link)) return;
  const { status, problem } = askPython("transport", "links", "--trace", link);
  if (status === 0) return;
  const reason = problem.trim().replace(/^python -m transport links: /, "");
  throw new Problem(`--link: ${reason}: give a link's name, a rate such as 24mbit or a file with a trace`);
}

/**
 * The link that `--link` means: a known name, a rate, else a trace file.
 *
 * @returns null is no choice, and fine
 * @throws Problem listing the known names
 */
export function chooseLink(link: LinkOption | null, links: readonly LinkChoice[]): string | null {
  if (link === null) return null;
  if (isRate(link.text) || links.some(({ name }) => name === link.text)) return canonicalLink(link.text);
  if (statSync(link.file, { throwIfNoEntry: false })?.isFile()) return link.file;
  const names = links.map(({ name }) => name).join(", ");
  throw new Problem(
    `unknown link "${link.text}": choose one of ${names}, a rate such as 24mbit, or a file with a trace`,
  );
}
