import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Among the built pages. */
export const REFUSAL_FILE = "refused.html";

/** What a browser shows of a refusal, in the style of the pages. */
export type RefusalPage = (status: number, reason: string) => string;

/** What the page says by itself, where the refusal takes its place. */
const PLACE = "404 Not Found";

/** Of the built pages; null where there is none among them, as in tests. */
export function refusalPage(playerDirectory: string): RefusalPage | null {
  const file = join(playerDirectory, REFUSAL_FILE);
  if (!existsSync(file)) return null;
  const page = readFileSync(file, "utf8");
  return (status, reason) => page.replaceAll(PLACE, () => escaped(`${status} ${reason}`));
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
