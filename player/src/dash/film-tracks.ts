/** A film's captions and sound tracks, and which of them is taken. */

import type { MediaInfo, MediaPlayerClass } from "dashjs";

export type TrackKind = "audio" | "text";

export interface Track {
  /** For a query: the language, with a number where several have it. */
  readonly key: string;
  readonly title: string;
}

type TrackPlayer = Pick<
  MediaPlayerClass,
  "enableText" | "getCurrentTrackFor" | "getTracksFor" | "isReady" | "setCurrentTrack" | "setTextTrack"
>;

interface Entry extends Track {
  readonly info: MediaInfo;
}

/** In the manifest's order; none before the stream is there. */
export function tracksOf(player: TrackPlayer, kind: TrackKind): Track[] {
  return entriesOf(player, kind).map(({ key, title }) => ({ key, title }));
}

/** The sound that is heard; null without. */
export function currentSound(player: TrackPlayer): string | null {
  const current = player.isReady() ? player.getCurrentTrackFor("audio") : null;
  return entriesOf(player, "audio").find(({ info }) => info === current)?.key ?? null;
}

/** A sound that there is not changes nothing: the next film may have other languages. */
export function takeSound(player: TrackPlayer, key: string): void {
  const entry = entriesOf(player, "audio").find((one) => one.key === key);
  if (entry !== undefined && entry.info !== player.getCurrentTrackFor("audio")) {
    player.setCurrentTrack(entry.info);
  }
}

/** Shows captions; null, or what there is not, shows none. */
export function takeCaptions(player: TrackPlayer, key: string | null): void {
  const entries = entriesOf(player, "text");
  if (entries.length === 0) {
    return;
  }
  const place = entries.findIndex((one) => one.key === key);
  player.enableText(place !== -1);
  player.setTextTrack(place);
}

function entriesOf(player: TrackPlayer, kind: TrackKind): Entry[] {
  const infos = player.isReady() ? (player.getTracksFor(kind) ?? []) : [];
  const keys = new Set<string>();
  const titles = new Set<string>();
  return infos.map((info) => {
    const language = info.lang ?? "und";
    return {
      key: numbered(language, "-", keys),
      title: numbered(titleOf(info, language), " ", titles),
      info,
    };
  });
}

/** The name, with a number where it is used already. */
function numbered(name: string, separator: string, used: Set<string>): string {
  let count = 1;
  const written = (): string => (count === 1 ? name : `${name}${separator}${count}`);
  while (used.has(written())) count += 1;
  used.add(written());
  return written();
}

/** The label, or else the language, and for whom or what it is unless the label tells. */
function titleOf(info: MediaInfo, language: string): string {
  const label = info.labels?.find(({ text }) => text !== undefined)?.text;
  const missing = purposesOf(info).filter(({ inLabel }) => !inLabel.test(label ?? ""));
  const name = label ?? languageName(language);
  return missing.length === 0 ? name : `${name} (${missing.map(({ words }) => words).join(", ")})`;
}

interface Purpose {
  readonly words: string;
  /** Of a label that tells it, too. */
  readonly inLabel: RegExp;
}

const DESCRIPTION: Purpose = { words: "audio description", inLabel: /descri|visual|blind/i };
const CAPTION: Purpose = { words: "for the hard of hearing", inLabel: /hearing|sdh|caption|\bcc\b|deaf/i };

/** Roles of urn:mpeg:dash:role:2011 as the menu says them; others as they are written. */
const PURPOSES: Readonly<Record<string, Purpose>> = {
  description: DESCRIPTION,
  caption: CAPTION,
  commentary: { words: "commentary", inLabel: /comment/i },
  dub: { words: "dubbed", inLabel: /dub/i },
  "forced-subtitle": { words: "forced", inLabel: /forced/i },
  "enhanced-audio-intelligibility": { words: "clearer speech", inLabel: /clear|dialog|speech/i },
};
/** They tell one track of a language from another by nothing that a viewer could go by. */
const USUAL_ROLES: readonly string[] = ["main", "subtitle", "alternate"];

/** Of urn:tva:metadata:cs:AudioPurposeCS:2007, by which DVB and DASH-IF tell for whom a track is. */
const TVA_SCHEME = "urn:tva:metadata:cs:AudioPurposeCS:2007";
const TVA_PURPOSES: Readonly<Record<string, Purpose>> = { "1": DESCRIPTION, "2": CAPTION };

function purposesOf({ roles, accessibility }: MediaInfo): readonly Purpose[] {
  const ofRoles = (roles ?? []).map(({ value }) =>
    value === null || USUAL_ROLES.includes(value)
      ? undefined
      : (PURPOSES[value] ?? { words: value, inLabel: /./ }),
  );
  const ofAccessibility = (accessibility ?? []).map(({ schemeIdUri, value }) =>
    schemeIdUri === TVA_SCHEME ? TVA_PURPOSES[value ?? ""] : PURPOSES[value ?? ""],
  );
  return [...new Set([...ofRoles, ...ofAccessibility])].filter((purpose) => purpose !== undefined);
}

function languageName(language: string): string {
  try {
    return language === "und"
      ? "No language named"
      : (new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language);
  } catch {
    return language; // not a tag that Intl reads: shown as it stands in the manifest
  }
}
