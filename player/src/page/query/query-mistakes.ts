/** What a page's query asks for, and what becomes of a mistake in it. */

import type { ServerConfig } from "../../options/server-config.ts";
import type { NoticeAction } from "../dom/notice.ts";
import { RELOAD } from "../dom/reload.ts";
import { type Choices, readChoices } from "./choices.ts";
import type { Corrected } from "./corrected-query.ts";
import { linkFromQuery } from "./link-query.ts";
import type { LinkRequest } from "./link-request.ts";
import type { UnknownParameters } from "./parameters.ts";
import { BadChoice, flagIn } from "./query-values.ts";
import { readWishes, type Wishes } from "./wishes.ts";

export interface Asked {
  readonly choices: Choices;
  readonly wishes: Wishes;
}

/** What the query asks for; where it has mistakes, what it meant most likely. */
export function readQuery(query: URLSearchParams, config: ServerConfig): Promise<Corrected<Asked>> {
  return corrected(query, (from) => {
    linkFromQuery(from, config); // its numbers are looked at, too
    readPage(from);
    return readFilm(from, config);
  });
}

/** The same of one of two films, which share the link. */
export function readSide(query: URLSearchParams, config: ServerConfig): Promise<Corrected<Asked>> {
  return corrected(query, (from) => readFilm(from, config));
}

/** What two films share, and the page does. */
export function readShared(query: URLSearchParams): Promise<Corrected<null>> {
  return corrected(query, (from) => {
    for (const name of ["autoplay", "muted"] as const) flagIn(from, name);
    readPage(from);
    return null;
  });
}

/** Read where they are needed, before there is a configuration: here only looked at. */
function readPage(query: URLSearchParams): void {
  for (const name of ["charts", "telemetry"] as const) flagIn(query, name);
}

/** The link that the query asks for, without the numbers that none can have; null as of `linkFromQuery`. */
export function readLink(
  query: URLSearchParams,
  config: Pick<ServerConfig, "link" | "linkLimits">,
): Promise<Corrected<LinkRequest | null>> {
  return corrected(query, (from) => linkFromQuery(from, config));
}

const readFilm = (query: URLSearchParams, config: ServerConfig): Asked => ({
  choices: readChoices(query, config),
  wishes: readWishes(query),
});

async function corrected<T>(
  query: URLSearchParams,
  read: (query: URLSearchParams) => T,
): Promise<Corrected<T>> {
  try {
    return { result: read(query), query, mistakes: [] };
  } catch (error) {
    if (!(error instanceof BadChoice)) {
      throw error;
    }
    return (await import("./corrected-query.ts")).correctQuery(query, read);
  }
}

/** All of them, one after the other; null where there are none. */
export function toldMistakes({ mistakes }: Corrected<unknown>): string | null {
  return mistakes.length === 0 ? null : mistakes.map(({ sentence }) => sentence).join(" ");
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

/** What may help where the page cannot go on: another try, but for what it was asked for in vain. */
export function remedyOf(error: unknown): NoticeAction | null {
  return error instanceof BadChoice ? null : RELOAD;
}

/** Why the page cannot go on, in one sentence. */
export async function toldMistake(error: unknown): Promise<string> {
  if (error instanceof BadChoice) {
    return (await import("./corrected-query.ts")).choiceSentence(error);
  }
  return error instanceof Error ? error.message : String(error);
}
