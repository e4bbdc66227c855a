/** The part of a policy's card that running it needs; models/policies/card.py writes cards. */

import {
  type Amount,
  type Choices,
  type Feature,
  observationSize,
  type PolicySpace,
} from "../../../../cc/receiver/decision.ts";
import { PolicyError } from "./policy-error.ts";

const FORMAT = 1;

export interface PolicyCard {
  readonly name: string;
  readonly scheme: string;
  readonly space: PolicySpace;
  /** Of the model's file; lower-case hexadecimal. */
  readonly sha256: string;
  /** Size of the hidden and of the cell state; null for a policy without memory. */
  readonly recurrentUnits: number | null;
}

/** A card's JSON. Throws PolicyError that names the field. */
export function readCard(json: unknown): PolicyCard {
  try {
    return cardOf(new Fields(json));
  } catch (error) {
    if (!(error instanceof BadField)) {
      throw error;
    }
    throw new PolicyError("the card of its policy cannot be read", error.message);
  }
}

/** Whether a policy is made for what a scheme shows and takes; what it all means in words is not compared. */
export function requireSpace({ name, space }: PolicyCard, wanted: PolicySpace): void {
  const [has, wants] = [comparable(space), comparable(wanted)];
  if (has !== wants) {
    throw new PolicyError(
      `its policy ${name} was made for other features, history or actions than it has`,
      `the card says ${has}, the scheme ${wants}`,
    );
  }
}

/** Numbers that the model gives: a score for each choice, or the amount. */
function answerSize({ actions }: PolicySpace): number {
  return actions.kind === "choices" ? actions.values.length : 1;
}

/** What the model's inputs and outputs are called and how long each is; the first axis is always 1. */
export function shapesOf({ space, recurrentUnits }: PolicyCard): Record<"inputs" | "outputs", Shapes> {
  const answer = space.actions.kind === "choices" ? "scores" : "action";
  const states = recurrentUnits === null ? [] : STATES.map((state) => [state, recurrentUnits] as const);
  return {
    inputs: Object.fromEntries([["observation", observationSize(space)], ...states]),
    outputs: Object.fromEntries([
      [answer, answerSize(space)],
      ...states.map(([state, units]) => [`next_${state}`, units] as const),
    ]),
  };
}

export type Shapes = Readonly<Record<string, number>>;

/** A recurrent model's memory, as models/policies/card.py names it. */
export const STATES = ["hidden", "cell"] as const;

function comparable({ features, history, actions, interval }: PolicySpace): string {
  const bare = features.map(({ name, unit, low, high, isLogarithmic }) => [
    name,
    unit,
    low,
    high,
    isLogarithmic,
  ]);
  const numbers = actions.kind === "choices" ? actions.values : [actions.low, actions.high];
  return JSON.stringify([bare, history, actions.kind, numbers, interval]);
}

function cardOf(card: Fields): PolicyCard {
  const format = card.number("format");
  if (format !== FORMAT) {
    throw new BadField(`format ${format} is not ${FORMAT}`);
  }
  const model = card.fields("model");
  return {
    name: card.text("name"),
    scheme: card.text("scheme"),
    space: {
      features: card.list("features").map((feature) => featureOf(new Fields(feature))),
      history: card.number("history"),
      actions: actionsOf(card.fields("actions")),
      interval: card.text("interval"),
    },
    sha256: model.text("sha256"),
    recurrentUnits: model.isNull("recurrent_units") ? null : model.number("recurrent_units"),
  };
}

function featureOf(feature: Fields): Feature {
  return {
    name: feature.text("name"),
    unit: feature.text("unit"),
    low: feature.number("low"),
    high: feature.number("high"),
    isLogarithmic: feature.flag("is_logarithmic"),
  };
}

function actionsOf(actions: Fields): Choices | Amount {
  const kind = actions.text("kind");
  switch (kind) {
    case "choices":
      return {
        kind,
        values: actions.list("values").map((_, index) => actions.item("values", index)),
      };
    case "amount":
      return { kind, low: actions.number("low"), high: actions.number("high") };
    default:
      throw new BadField(`actions of kind ${kind}; known kinds: choices, amount`);
  }
}

class BadField extends Error {}

/** An object of unknown JSON, read field by field. */
class Fields {
  readonly #json: Record<string, unknown>;

  constructor(json: unknown) {
    if (typeof json !== "object" || json === null) {
      throw new BadField(`${JSON.stringify(json)} is no object`);
    }
    this.#json = json as Record<string, unknown>;
  }

  text(name: string): string {
    return this.#read(name, (value) => typeof value === "string");
  }

  number(name: string): number {
    return this.#read(name, Number.isFinite);
  }

  flag(name: string): boolean {
    return this.#read(name, (value) => typeof value === "boolean");
  }

  list(name: string): readonly unknown[] {
    return this.#read(name, Array.isArray);
  }

  fields(name: string): Fields {
    return new Fields(this.#json[name]);
  }

  isNull(name: string): boolean {
    return this.#json[name] === null;
  }

  /** A number of a list. */
  item(name: string, index: number): number {
    const value = this.list(name)[index];
    if (!Number.isFinite(value)) {
      throw new BadField(`${name}[${index}] is ${JSON.stringify(value)}`);
    }
    return value as number;
  }

  #read<T>(name: string, isRight: (value: unknown) => boolean): T {
    const value = this.#json[name];
    if (!isRight(value)) {
      throw new BadField(`${name} is ${JSON.stringify(value)}`);
    }
    return value as T;
  }
}
