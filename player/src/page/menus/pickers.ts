import type { SchemeEntry, ServerConfig } from "../../options/server-config.ts";
import { RULES } from "../../rules/registry.ts";
import { elementById, fillPicker, type Offered } from "../dom/elements.ts";
import { onceSettled } from "../dom/once-settled.ts";
import type { Choices } from "../query/choices.ts";
import { offeredPresets } from "./preset-menu.ts";

export interface PickersOptions {
  /** Before the pickers' ids, where a page has them more than once. */
  readonly prefix?: string;
  readonly config: ServerConfig;
  readonly chosen: Choices;
  readonly onChange: (changes: Partial<Choices>) => void;
}

const ESTIMATORS = [
  { name: "receiver", title: "Receiver's", summary: "What the receiver measures of the network itself." },
  { name: "dashjs", title: "dash.js's own", summary: "A mean of past download times." },
] as const;

/** Worth a first comparison: our own, and what is deployed. */
const TRY_FIRST = ["kuafu", "nuwa", "cubic", "bbr3", "copa"];

const NO_CONTROL = "Over HTTP none of these controls congestion.";
const NO_ESTIMATE = "Over HTTP no receiver measures the network.";

/** Fills the pickers of one film: scheme, preset, rule and estimator. `onChange` gets the last choice of each, once they rest. */
export function offerChoices({ prefix = "", config, chosen, onChange }: PickersOptions): void {
  const picker = (name: string): HTMLSelectElement => elementById(`${prefix}${name}`, HTMLSelectElement);
  const isControlled = chosen.transport !== "http";
  const presetsOf = (choices: Choices): Offered<string> => {
    const offered = offeredPresets(choices, config);
    return isControlled ? offered : { ...offered, impediment: NO_CONTROL };
  };
  let choices = chosen;
  const tell = onceSettled<Choices>(onChange);
  const choose = (changes: Partial<Choices>): void => {
    choices = { ...choices, ...changes };
    presets.offer(presetsOf(choices));
    tell(changes);
  };
  const presets = fillPicker(picker("preset"), presetsOf(chosen), (picked) => {
    const preset = config.presets.find(({ name }) => name === picked);
    if (preset !== undefined) {
      choose({ preset: preset.name, k: null, targetDelayMs: null });
    }
  });
  fillPicker(
    picker("scheme"),
    offered(inGroups(config.schemes), chosen.scheme, isControlled ? null : NO_CONTROL),
    (scheme) => choose({ scheme }),
  );
  if (isControlled) {
    offerSearch(`${prefix}scheme-search`, picker("scheme"), config.schemes);
  }
  fillPicker(picker("rule"), offered(RULES, chosen.rule), (rule) => choose({ rule }));
  fillPicker(
    picker("estimator"),
    offered(ESTIMATORS, chosen.estimator, isControlled ? null : NO_ESTIMATE),
    (estimator) => choose({ estimator }),
  );
}

/** By family, below the few to begin with. */
function inGroups(schemes: readonly SchemeEntry[]): (SchemeEntry & { readonly group: string })[] {
  const isFirst = ({ name }: SchemeEntry): boolean => TRY_FIRST.includes(name);
  const first = schemes
    .filter(isFirst)
    .toSorted((a, b) => TRY_FIRST.indexOf(a.name) - TRY_FIRST.indexOf(b.name));
  return [
    ...first.map((scheme) => ({ ...scheme, group: "Try these first" })),
    ...schemes.filter((scheme) => !isFirst(scheme)).map((scheme) => ({ ...scheme, group: scheme.family })),
  ];
}

const offered = <T extends string>(
  entries: Offered<T>["entries"],
  chosen: T,
  impediment: string | null = null,
): Offered<T> => ({ entries, chosen, impediment });

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
