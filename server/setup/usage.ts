import { RULES } from "../../player/src/rules/registry.ts";
import { Problem } from "../problem.mjs";
import { readLinks } from "./links.ts";
import { DEFAULT_LINK } from "./options.ts";
import { DEFAULT_RULE, readRegistry } from "./registry.ts";
import { optionsHelp } from "./start-help.mjs";

const NAME_WIDTH = 24;

/** What `npm start -- --help` prints. */
export async function usage(): Promise<string> {
  const [schemesAndPresets, links] = await Promise.all([
    listed(async () => {
      const { schemes, presets, defaults } = await readRegistry();
      return [
        ...choices("Schemes", schemes, defaults.scheme),
        ...choices("Presets", presets, defaults.preset),
      ];
    }),
    listed(async () => choices("Links", (await readLinks()).choices, DEFAULT_LINK)),
  ]);
  return [
    optionsHelp(),
    ...schemesAndPresets,
    ...choices("Rules", RULES, DEFAULT_RULE),
    ...links,
    "NUWA_PYTHON and NUWA_FFMPEG name the programs to use. An option goes before its variable.",
    "",
  ].join("\n");
}

function choices(
  heading: string,
  entries: readonly { readonly name: string; readonly title: string }[],
  preferred: string,
): string[] {
  const lines = entries.map(
    ({ name, title }) => `  ${name.padEnd(NAME_WIDTH)} ${title}${name === preferred ? " (default)" : ""}`,
  );
  return [`${heading}:`, ...lines, ""];
}

/** Help is for those, too, who have no Python yet. */
async function listed(read: () => Promise<string[]>): Promise<string[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
