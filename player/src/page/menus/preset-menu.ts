/** The presets that a scheme tells apart. Pure. */

import type { PresetEntry, PresetNumber, ServerConfig } from "../../options/server-config.ts";
import type { Offered } from "../dom/elements.ts";
import type { Choices } from "../query/choices.ts";

/** Stands for the numbers that the address asks for instead of a preset's. */
const OF_ADDRESS = "address";
const SENDERS = "Used by receiver-driven schemes only.";

type Numbers = Pick<PresetEntry, PresetNumber>;

/** Of presets that are one to the scheme the first; and what the address asks for, where that is none of them. */
export function offeredPresets(
  { scheme, preset, k, targetDelayMs }: Pick<Choices, "scheme" | "preset" | "k" | "targetDelayMs">,
  { schemes, presets }: Pick<ServerConfig, "schemes" | "presets">,
): Offered<string> {
  const { control, reads, title } = schemes.find(({ name }) => name === scheme) ?? {};
  const chosen = presets.find(({ name }) => name === preset);
  if (control !== "receiver" || reads === undefined || reads.length === 0) {
    const impediment = control === "receiver" ? `${title} has no target delay to choose.` : SENDERS;
    return { entries: chosen === undefined ? [] : [chosen], chosen: preset, impediment };
  }
  const isOne = (one: Numbers, other: Numbers): boolean => reads.every((name) => one[name] === other[name]);
  const apart = presets.filter((entry) => presets.find((other) => isOne(entry, other)) === entry);
  const entries = apart.map((entry) => ({ ...entry, title: titled(entry.title, entry, reads) }));
  if (chosen === undefined) {
    return { entries, chosen: preset, impediment: null };
  }
  const numbers = { ...chosen, target_delay_ms: targetDelayMs ?? chosen.target_delay_ms, k: k ?? chosen.k };
  const same = apart.find((entry) => isOne(entry, numbers));
  if (same !== undefined) {
    return { entries, chosen: same.name, impediment: null };
  }
  const ofK = reads.includes("k") && numbers.k !== chosen.k ? `, k ${numbers.k}` : "";
  const ofAddress = {
    name: OF_ADDRESS,
    title: `${titled("Own", numbers, reads)}${ofK}`,
    summary: `As ${chosen.title}, with the numbers that the address asks for.`,
  };
  return { entries: [ofAddress, ...entries], chosen: OF_ADDRESS, impediment: null };
}

function titled(title: string, { target_delay_ms }: Numbers, reads: readonly PresetNumber[]): string {
  return reads.includes("target_delay_ms") ? `${title}, ${target_delay_ms} ms` : title;
}
