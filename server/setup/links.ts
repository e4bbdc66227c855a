import { statSync } from "node:fs";
import type { NamedEntry } from "../../player/src/options/server-config.ts";
import { canonicalLink, isRate } from "../link/link-limits.ts";
import { Problem } from "../problem.mjs";
import type { LinkOption } from "./options.ts";
import { askForJson, askPython, meant } from "./registry.ts";

const NO_LINK: NamedEntry = {
  name: "none",
  title: "No emulated link",
  summary: "What lies between browser and server, as it is.",
};

/** As `cc/links/catalogue.py` says it. */
const WHERE_RECORDED_ONES_ARE = "recorded links are not here: npm run prepare-machine fetches them";

interface CatalogueEntry extends NamedEntry {
  readonly source: "generated" | "mahimahi";
}

/** The links that transport/ can emulate. */
export interface Links {
  /** None first. */
  readonly choices: readonly NamedEntry[];
  /** Names of those among them whose traces are files on this machine. */
  readonly recorded: readonly string[];
}

export async function readLinks(): Promise<Links> {
  const catalogue = (await askForJson("links", "transport", "links", "--json")) as CatalogueEntry[];
  return {
    choices: [NO_LINK, ...catalogue.map(({ name, title, summary }) => ({ name, title, summary }))],
    recorded: catalogue.filter(({ source }) => source === "mahimahi").map(({ name }) => name),
  };
}

/**
 * A rate or a trace, which the list has looked at no more than at a glance, is read as the relay will read it.
 *
 * @param link as `chooseLink` gives it
 * @throws Problem saying what is wrong with it
 */
export async function requireReadableLink(link: string | null, { choices, recorded }: Links): Promise<void> {
  if (link === null) return;
  if (choices.some(({ name }) => name === link) && !recorded.includes(link)) return;
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
export function chooseLink(link: LinkOption | null, { choices, recorded }: Links): string | null {
  if (link === null) return null;
  if (isRate(link.text) || choices.some(({ name }) => name === link.text)) return canonicalLink(link.text);
  if (statSync(link.file, { throwIfNoEntry: false })?.isFile()) return link.file;
  const names = choices.map(({ name }) => name);
  const all = `choose one of ${names.join(", ")}, a rate such as 24mbit, or a file with a trace`;
  const hint = meant(link.text, names) ?? (recorded.length > 0 ? all : `${all}; ${WHERE_RECORDED_ONES_ARE}`);
  throw new Problem(`unknown link "${link.text}": ${hint}`);
}
