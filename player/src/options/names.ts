/**
 * The names of all registries, as literal types for whoever writes a page.
 * Written by `npx vitest run player/src/options/names --update`.
 */

/** Congestion control, whichever side runs it. */
// biome-ignore format: one name a line
export type SchemeName =
  | "abc"
  | "aurora"
  | "bbr"
  | "bbr-acd"
  | "bbr-fit"
  | "bbr2"
  | "bbr3"
  | "bbrplus"
  | "bic"
  | "copa"
  | "cubic"
  | "dctcp"
  | "dqn-v1"
  | "dqn-v2"
  | "drwa"
  | "eagle"
  | "gcc"
  | "hd-tcp"
  | "highspeed"
  | "htcp"
  | "hybla"
  | "illinois"
  | "indigo"
  | "inigo"
  | "kuafu"
  | "ledbat"
  | "newreno"
  | "nuwa"
  | "nuwa-rl"
  | "nuwa-rl-goodput"
  | "orca"
  | "owl"
  | "owl-ppo"
  | "pcc-allegro"
  | "pcc-vivace"
  | "proteus"
  | "proteus-p"
  | "qtcp"
  | "scalable"
  | "scream"
  | "sprout"
  | "sprout-ewma"
  | "stateful-bbr"
  | "tao"
  | "tcp-dstar"
  | "tsunami"
  | "vegas"
  | "veno"
  | "verus"
  | "westwood"
  | "yeah"
  | "zixia"
  | "zixia-delay"
  | "zixia-lean"
;

/** Numbers of Nuwa for a use. */
// biome-ignore format: one name a line
export type PresetName =
  | "bulk"
  | "compete"
  | "film"
  | "interactive"
  | "live"
  | "mobile"
  | "on-demand"
  | "paper"
;

/** Adaptation rules. */
// biome-ignore format: one name a line
export type RuleName =
  | "bba"
  | "bola"
  | "dynamic"
  | "l2a"
  | "lolp"
  | "nuwa"
  | "nuwa-log"
  | "nuwa-vmaf"
  | "robust-mpc"
  | "throughput"
;
