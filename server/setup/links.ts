import { statSync } from "node:fs";
import type { LinkChoice } from "../link/link-control.ts";
import { canonicalLink, isRate } from "./link-limits.ts";
import type { LinkOption } from "./options.ts";
import { Problem } from "./problem.ts";
import { askForJson, askPython, meant } from "./registry.ts";

const NO_LINK: LinkChoice = {
  name: "none",
  title: "No emulated link",
  summary: "What lies between browser and server, as it is.",
};

/** As `cc/links/catalogue.py` says it. */
const WHERE_RECORDED_ONES_ARE = "recorded links are not here: npm run prepare-machine fetches them";

interface CatalogueEntry extends LinkChoice {
  readonly source: "generated" | "mahimahi";
}

const readCatalogue = (): CatalogueEntry[] =>
  askForJson("links", "transport", "links", "--json") as CatalogueEntry[];

/** The links that transport/ can emulate, none first. */
export function readLinks(): LinkChoice[] {
  return [NO_LINK, ...readCatalogue().map(({ name, title, summary }) => ({ name, title, summary }))];
}

const hasRecorded = (): boolean => readCatalogue().some(({ source }) => source === "mahimahi");

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
 * @param isAnyRecorded whether recorded links are on this machine
 * @returns null is no choice, and fine
 * @throws Problem naming the nearest, or all that are known
 */
export function chooseLink(
  link: LinkOption | null,
  links: readonly LinkChoice[],
  isAnyRecorded = hasRecorded,
): string | null {
  if (link === null) return null;
  if (isRate(link.text) || links.some(({ name }) => name === link.text)) return canonicalLink(link.text);
  if (statSync(link.file, { throwIfNoEntry: false })?.isFile()) return link.file;
  const names = links.map(({ name }) => name);
  const all = `choose one of ${names.join(", ")}, a rate such as 24mbit, or a file with a trace`;
  const hint = meant(link.text, names) ?? (isAnyRecorded() ? all : `${all}; ${WHERE_RECORDED_ONES_ARE}`);
  throw new Problem(`unknown link "${link.text}": ${hint}`);
}
