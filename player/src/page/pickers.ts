import { RULES } from "../rules/registry.ts";
import type { Choices } from "./choices.ts";
import { elementById, fillPicker } from "./elements.ts";
import type { SchemeEntry, ServerConfig } from "./server-config.ts";

export interface PickersOptions {
  /** Before the pickers' ids, where a page has them more than once. */
  readonly prefix?: string;
  readonly config: ServerConfig;
  readonly chosen: Choices;
  readonly onChange: (changes: Partial<Choices>) => void;
}

const ESTIMATORS = [
  { name: "nuwa", title: "Receiver's", summary: "What the receiver measures of the network itself." },
  { name: "dashjs", title: "dash.js's own", summary: "A mean of past download times." },
] as const;

/** Fills the pickers of one film: scheme, preset, rule and estimator. */
export function offerChoices({ prefix = "", config, chosen, onChange }: PickersOptions): void {
  const picker = (name: string): HTMLSelectElement => elementById(`${prefix}${name}`, HTMLSelectElement);
  const presets = config.presets.map((preset) => ({
    ...preset,
    title: `${preset.title}, ${preset.target_delay_ms} ms`,
  }));
  const preset = fillPicker(picker("preset"), presets, chosen.preset, (name) =>
    onChange({ preset: name, k: null, targetDelayMs: null }),
  );
  const offerPresets = (scheme: string): void => {
    const isReceivers = config.schemes.find(({ name }) => name === scheme)?.control === "receiver";
    preset.offer(isReceivers ? null : "Used by receiver-driven schemes only.");
  };
  offerPresets(chosen.scheme);
  const schemes = config.schemes.map((scheme) => ({ ...scheme, group: scheme.family }));
  fillPicker(picker("scheme"), schemes, chosen.scheme, (scheme) => {
    offerPresets(scheme);
    onChange({ scheme });
  });
  offerSearch(`${prefix}scheme-search`, picker("scheme"), config.schemes);
  fillPicker(picker("rule"), RULES, chosen.rule, (rule) => onChange({ rule }));
  fillPicker(picker("estimator"), ESTIMATORS, chosen.estimator, (estimator) => onChange({ estimator }));
}

/** Where the page has a button for it, opens the list of schemes; one that is chosen there is picked as in the menu. */
function offerSearch(id: string, select: HTMLSelectElement, schemes: readonly SchemeEntry[]): void {
  const button = document.getElementById(id);
  if (button === null) return;
  button.hidden = false;
  button.onclick = async () => {
    const { searchSchemes } = await import("./scheme-search.ts");
    searchSchemes(schemes, select.value, (name) => {
      select.value = name;
      select.dispatchEvent(new Event("change"));
    });
  };
}
