/** What a page's query asks for, and what becomes of a mistake in it. */

import { type Choices, readChoices, type UnknownParameters } from "./choices.ts";
import type { Corrected } from "./corrected-query.ts";
import { linkFromQuery } from "./link-query.ts";
import { BadChoice } from "./query-values.ts";
import type { ServerConfig } from "./server-config.ts";
import { readWishes, type Wishes } from "./wishes.ts";

export interface Asked {
  readonly choices: Choices;
  readonly wishes: Wishes;
}

/** What the query asks for; where it has mistakes, what it meant most likely. */
export async function readQuery(query: URLSearchParams, config: ServerConfig): Promise<Corrected<Asked>> {
  const read = (from: URLSearchParams): Asked => {
    linkFromQuery(from, null); // its numbers are looked at, too
    return { choices: readChoices(from, config), wishes: readWishes(from) };
  };
  try {
    return { result: read(query), query, mistakes: [] };
  } catch (error) {
    if (!(error instanceof BadChoice)) {
      throw error;
    }
    return (await import("./corrected-query.ts")).correctQuery(query, read);
  }
}

/** One sentence about a link that there is not. */
export async function linkMistake(name: string, { links }: ServerConfig): Promise<string> {
  const { unknownLinkSentence } = await import("./corrected-query.ts");
  const names = links.map((link) => link.name);
  return unknownLinkSentence(name, names);
}

/** One sentence about names that mean nothing. */
export async function parameterMistake(unknown: UnknownParameters): Promise<string> {
  const { parametersSentence } = await import("./corrected-query.ts");
  return parametersSentence(unknown);
}

/** Why the page cannot go on, in one sentence. */
export async function toldMistake(error: unknown): Promise<string> {
  if (error instanceof BadChoice) {
    return (await import("./corrected-query.ts")).choiceSentence(error);
  }
  return error instanceof Error ? error.message : String(error);
}
