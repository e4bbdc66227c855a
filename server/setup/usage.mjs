import { START_OPTIONS, variableOf } from "./options.mjs";

/**
 * What `npm start -- --help` prints.
 *
 * @param {import("../registry.ts").Registry | null} registry null where no Python can be asked for it yet
 * @returns {string}
 */
export function usage(registry) {
  const rows = START_OPTIONS.map(({ name, placeholder, summary }) => {
    return `  ${`--${name} ${placeholder}`.padEnd(18)}  ${variableOf(name).padEnd(14)}  ${summary}`;
  });
  return [
    "Usage: npm start -- [options]",
    "",
    "Plays a film in the browser over QUIC, with the congestion control in the browser's hands.",
    "",
    "  option              variable        meaning",
    ...rows,
    "  --help              ",
    ...(registry === null ? [] : choices(registry)),
    "",
    "Also: NUWA_PYTHON and NUWA_FFMPEG name the programs to use. An option goes before its variable.",
    "",
  ].join("\n");
}

/** @param {import("../registry.ts").Registry} registry */
function choices({ schemes, presets, defaults }) {
  /** @param {readonly {name: string, title: string}[]} entries @param {string} preferred */
  const list = (entries, preferred) =>
    entries.map(
      ({ name, title }) => `  ${name.padEnd(18)}  ${title}${name === preferred ? " (default)" : ""}`,
    );
  return [
    "",
    "Schemes:",
    ...list(schemes, defaults.scheme),
    "",
    "Presets:",
    ...list(presets, defaults.preset),
  ];
}
