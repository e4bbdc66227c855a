/** For tests. */
export const parameters = {
  scheme: "nuwa",
  preset: "on-demand",
  targetDelayMs: 40,
  rhoMs: 20,
  k: 7,
  catchesUp: false,
  followsNeed: false,
  asInPaper: false,
};
