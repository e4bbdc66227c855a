import { START_OPTIONS, variableOf } from "./options.mjs";

const OPTION_WIDTH = 22;

/**
 * What `npm start -- --help` prints.
 *
 * @param {object} known
 * @param {import("../registry.ts").Registry | null} known.registry null where no Python can be asked for it yet
 * @param {readonly import("../registry.ts").Rule[] | null} known.rules null where nothing reads TypeScript yet
 * @param {readonly {name: string, title: string}[] | null} known.links null where there is no Python environment yet
 * @param {string} known.defaultRule
 * @returns {string}
 */
export function usage({ registry, rules, links, defaultRule }) {
  const rows = START_OPTIONS.map(({ name, placeholder, summary }) => {
    return `  ${`--${name} ${placeholder}`.padEnd(OPTION_WIDTH)}  ${variableOf(name).padEnd(14)}  ${summary}`;
  });
  return [
    "Usage: npm start -- [options]",
    "",
    "Plays a film in the browser over QUIC, with the congestion control in the browser's hands.",
    "",
    `  ${"option".padEnd(OPTION_WIDTH)}  variable        meaning`,
    ...rows,
    "  --help              ",
    ...(registry === null ? [] : choices("Schemes", registry.schemes, registry.defaults.scheme)),
    ...(registry === null ? [] : choices("Presets", registry.presets, registry.defaults.preset)),
    ...(rules === null ? [] : choices("Rules", rules, defaultRule)),
    ...(links === null ? [] : choices("Links", links, "none")),
    "",
    "Also: NUWA_PYTHON and NUWA_FFMPEG name the programs to use. An option goes before its variable.",
    "",
  ].join("\n");
}

/**
 * @param {string} heading
 * @param {readonly {name: string, title: string}[]} entries
 * @param {string} preferred
 */
function choices(heading, entries, preferred) {
  const lines = entries.map(
    ({ name, title }) => `  ${name.padEnd(OPTION_WIDTH)}  ${title}${name === preferred ? " (default)" : ""}`,
  );
  return ["", `${heading}:`, ...lines];
}
