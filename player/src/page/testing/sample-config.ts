import type { FilmConfig } from "../../options/server-config.ts";

const film = { durationSeconds: 120, isElsewhere: false, isPrepared: false, isAdded: false };
const FILMS = [
  { ...film, name: "demo", title: "Demo", manifestUrl: "/media/manifest.mpd" },
  {
    ...film,
    name: "away",
    title: "Away",
    manifestUrl: "https://films.example/away.mpd",
    isElsewhere: true,
  },
] as const;
/** For tests. */
export const SAMPLE_CONFIG: FilmConfig = {
  protocolVersion: 1,
  transport: null,
  link: null,
  links: [],
  schemes: [
    { name: "nuwa", title: "Nuwa", control: "receiver", family: "", summary: "", policy: null, reads: ["k"] },
    { name: "cubic", title: "CUBIC", control: "sender", family: "", summary: "", policy: null, reads: [] },
  ],
  schemesNotOffered: [],
  presets: [
    {
      name: "on-demand",
      title: "On demand",
      target_delay_ms: 40,
      rho_ms: 20,
      k: 7,
      catches_up: false,
      follows_need: false,
      as_in_paper: false,
      summary: "",
    },
    {
      name: "live",
      title: "Live",
      target_delay_ms: 30,
      rho_ms: 15,
      k: 5,
      catches_up: true,
      follows_need: false,
      as_in_paper: false,
      summary: "",
    },
  ],
  rules: [],
  defaults: { scheme: "nuwa", preset: "on-demand", rule: "nuwa" },
  film: FILMS[0],
  films: FILMS,
  mayChangeLink: false,
  takesFilms: false,
  cmcdCollector: null,
  takesTelemetry: true,
  isLinkShared: false,
  linkLimits: {
    delayMs: { min: 0, max: 1000 },
    queuePackets: { min: 1, max: 20_000 },
    loss: { min: 0, max: 0.5 },
  },
};
