/** The queue disciplines, as `cc/links/queueing/registry.py` lists them. */
export type Discipline = "droptail" | "codel" | "pie" | "abc" | "ce-threshold";

/**
 * What mm-link has of them, with the parameters of `cc/links/queueing/codel.py` and `pie.py` in ms; it has no defaults. Its CoDel sends the
 * packet that the RFC drops and drops the next one instead; its PIE estimates the delay by the departure rate.
 */
export const MAHIMAHI_ARGUMENTS: Readonly<Partial<Record<Discipline, readonly string[]>>> = {
  droptail: [],
  codel: ["target=5", "interval=100"],
  pie: ["qdelay_ref=15", "max_burst=150"],
};
