import { RULES } from "../../player/src/rules/registry.ts";
import { readLinks } from "./links.ts";
import { DEFAULT_RULE } from "./options.ts";
import { Problem } from "./problem.ts";
import { readRegistry } from "./registry.ts";
import { optionsHelp } from "./start-help.mjs";

const NAME_WIDTH = 24;

/** What `npm start -- --help` prints. */
export function usage(): string {
  return [
    optionsHelp(),
    ...listed(() => {
      const { schemes, presets, defaults } = readRegistry();
      return [
        ...choices("Schemes", schemes, defaults.scheme),
        ...choices("Presets", presets, defaults.preset),
      ];
    }),
    ...choices("Rules", RULES, DEFAULT_RULE),
    ...listed(() => choices("Links", readLinks(), "none")),
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
function listed(read: () => string[]): string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
