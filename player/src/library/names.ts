/**
 * The names of all registries, as literal types for whoever writes a page.
 * Written by `npx vitest run player/src/library/names --update`.
 */

/** Congestion control, whichever side runs it. */
// biome-ignore format: one name a line
export type SchemeName =
  | "nuwa"
  | "nuwa-rl"
  | "nuwa-rl-goodput"
  | "drwa"
  | "cubic"
  | "newreno"
  | "copa"
  | "vegas"
  | "westwood"
  | "ledbat"
  | "verus"
  | "inigo"
  | "bbr"
  | "bbr2"
  | "bbr3"
  | "bbrplus"
  | "bbr-acd"
  | "stateful-bbr"
  | "tsunami"
  | "tcp-dstar"
  | "bbr-fit"
  | "owl"
  | "owl-ppo"
  | "zixia"
  | "zixia-delay"
  | "zixia-lean"
  | "dqn-v1"
  | "dqn-v2"
  | "sprout-ewma"
  | "abc"
  | "gcc"
  | "scream"
  | "pcc-allegro"
  | "pcc-vivace"
  | "proteus";

/** Numbers of Nuwa for a use. */
// biome-ignore format: one name a line
export type PresetName =
  | "on-demand"
  | "live"
  | "interactive"
  | "bulk"
  | "mobile"
  | "compete";

/** Adaptation rules. */
// biome-ignore format: one name a line
export type RuleName =
  | "nuwa"
  | "dynamic"
  | "throughput"
  | "bola"
  | "l2a"
  | "lolp";
