/** What `python -m cc` prints: the one list of congestion-control schemes and presets. */
export interface Registry {
  readonly schemes: readonly Scheme[];
  readonly presets: readonly Preset[];
  readonly defaults: { readonly scheme: string; readonly preset: string };
}

/** A registry whose schemes are those that visitors may choose. */
export interface OfferedRegistry extends Registry {
  /** Films may have been watched under them when they were offered. Absent where all are. */
  readonly schemesNotOffered?: readonly Pick<Scheme, "name" | "title">[];
}

export interface Scheme {
  readonly name: string;
  readonly title: string;
  /** Who works out the window. */
  readonly control: "receiver" | "sender";
  /** By what it judges the network; menus group by it. */
  readonly family: string;
  readonly summary: string;
  readonly source: string;
  /** The learned policy in models/policies that it asks, whichever side runs it; null for a scheme that asks none. */
  readonly policy: string | null;
  /** Of a preset's numbers those that its receiver goes by. */
  readonly reads: readonly string[];
}

/** A receiver's target delay and how eagerly it is pursued. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly target_delay_ms: number;
  readonly rho_ms: number;
  readonly k: number;
  /** Whether the window follows a link that has changed in proportion to itself. */
  readonly catches_up: boolean;
  readonly follows_need: boolean;
  /** Whether the window moves by the paper's equations alone. */
  readonly as_in_paper: boolean;
  readonly summary: string;
}

/** An adaptation rule, as player/src/rules/registry.ts lists it. */
export interface Rule {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
}
