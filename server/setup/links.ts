import { statSync } from "node:fs";
import type { LinkChoice } from "../link/link-control.ts";
import { canonicalLink, isRate } from "../link/link-limits.ts";
import { Problem } from "../problem.mjs";
import type { LinkOption } from "./options.ts";
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

/** The links that transport/ can emulate. */
export interface Links {
  /** None first. */
  readonly choices: readonly LinkChoice[];
  /** Whether recorded ones are on this machine. */
  readonly hasRecorded: boolean;
}

export async function readLinks(): Promise<Links> {
  const catalogue = (await askForJson("links", "transport", "links", "--json")) as CatalogueEntry[];
  return {
    choices: [NO_LINK, ...catalogue.map(({ name, title, summary }) => ({ name, title, summary }))],
    hasRecorded: catalogue.some(({ source }) => source === "mahimahi"),
  };
}

/**
 * A link that is none of the list, a rate or a trace file, is read as the relay will read it.
 *
 * @param link as `chooseLink` gives it
 * @throws Problem saying what is wrong with it
 */
export async function requireReadableLink(link: string | null, { choices }: Links): Promise<void> {
  if (link === null || choices.some(({ name }) => name === link)) return;
  const { status, problem } = await askPython("transport", "links", "--trace", link);
  if (status === 0) return;
  const reason = problem.trim().replace(/^python -m transport links: /, "");
  throw new Problem(`--link: ${reason}: give a link's name, a rate such as 24mbit or a file with a trace`);
}

/**
 * The link that `--link` means: a known name, a rate, else a trace file.
 *
 * @returns null is no choice, and fine
 * @throws Problem naming the nearest, or all that are known
 */
export function chooseLink(link: LinkOption | null, { choices, hasRecorded }: Links): string | null {
  if (link === null) return null;
  if (isRate(link.text) || choices.some(({ name }) => name === link.text)) return canonicalLink(link.text);
  if (statSync(link.file, { throwIfNoEntry: false })?.isFile()) return link.file;
  const names = choices.map(({ name }) => name);
  const all = `choose one of ${names.join(", ")}, a rate such as 24mbit, or a file with a trace`;
  const hint = meant(link.text, names) ?? (hasRecorded ? all : `${all}; ${WHERE_RECORDED_ONES_ARE}`);
  throw new Problem(`unknown link "${link.text}": ${hint}`);
}
