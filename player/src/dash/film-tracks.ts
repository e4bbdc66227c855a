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
  const seen = new Map<string, number>();
  return infos.map((info) => {
    const language = info.lang ?? "und";
    const count = (seen.get(language) ?? 0) + 1;
    seen.set(language, count);
    const key = count === 1 ? language : `${language}-${count}`;
    return { key, title: titleOf(info, language, count), info };
  });
}

function titleOf(info: MediaInfo, language: string, count: number): string {
  const label = info.labels?.find(({ text }) => text !== undefined)?.text;
  const role = info.roles?.map(({ value }) => value).find((value) => value !== null && value !== "main");
  const name = label ?? `${languageName(language)}${count === 1 ? "" : ` ${count}`}`;
  return role === undefined || role === "caption" || role === "subtitle" || label !== undefined
    ? name
    : `${name} (${role})`;
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
