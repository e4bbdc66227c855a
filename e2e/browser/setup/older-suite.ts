/**
 * Rewrites the machine's own package sources so that they name an older suite.
 *
 * mahimahi left Debian after bullseye, but its programs still run. Keeping the machine's own archive and keys, and changing
 * only the suite's name, needs no address of ours.
 */

/**
 * @param text a file of one-line sources (`deb URI suite component...`)
 * @param suites names under which the machine knows its own release
 * @returns empty if no line names one of the suites
 */
export function olderOneLineSources(text: string, suites: readonly string[], older: string): string {
  const lines = [];
  for (const line of text.split("\n")) {
    const match = /^\s*deb\s+(\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+\S/.exec(line);
    if (match === null) continue;
    const [, options = "", uri, suite] = match;
    if (suite !== undefined && suites.includes(suite)) lines.push(`deb ${options}${uri} ${older} main`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/**
 * @param text a file of deb822 sources (stanzas of `Field: value`)
 * @param suites names under which the machine knows its own release
 * @returns empty if no stanza names one of the suites
 */
export function olderStanzaSources(text: string, suites: readonly string[], older: string): string {
  const stanzas = [];
  for (const stanza of text.split(/\n\s*\n/)) {
    const fields = readStanza(stanza);
    const named = (fields.get("suites") ?? "").split(/\s+/);
    const isBinary = (fields.get("types") ?? "").split(/\s+/).includes("deb");
    const isOff = fields.get("enabled") === "no";
    if (!isBinary || isOff || !named.some((suite) => suites.includes(suite))) continue;
    const lines = ["Types: deb", `URIs: ${fields.get("uris")}`, `Suites: ${older}`, "Components: main"];
    const signedBy = fields.get("signed-by");
    if (signedBy !== undefined) lines.push(`Signed-By: ${signedBy}`);
    stanzas.push(`${lines.join("\n")}\n`);
  }
  return stanzas.join("\n");
}

/** @returns lower-case field name to value; a value keeps its continuation lines */
function readStanza(stanza: string): Map<string, string> {
  const fields = new Map();
  let current = "";
  for (const line of stanza.split("\n")) {
    if (line.startsWith("#")) continue;
    const field = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
    if (field !== null) {
      current = (field[1] ?? "").toLowerCase();
      fields.set(current, field[2]);
    } else if (/^\s/.test(line) && current !== "") {
      fields.set(current, `${fields.get(current)}\n${line}`);
    }
  }
  return fields;
}
