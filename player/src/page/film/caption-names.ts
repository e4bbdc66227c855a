/** What is known of captions by their manifest, as dash.js has it. */
export interface CaptionInfo {
  readonly lang: string | null;
  readonly labels: readonly { readonly text: string }[];
}

/**
 * Has the browser's own menu of captions show the manifest's labels. dash.js names a track by its adaptation set's number, by
 * which it finds it again, and looks by the language alone where there is no number: those tracks may have a name.
 */
export function nameCaptions(video: HTMLVideoElement, captions: () => readonly CaptionInfo[]): void {
  video.addTextTrack = (kind, label: string | null | undefined, language) => {
    const known = captions().find(({ lang }) => lang === language);
    const name = label ?? known?.labels[0]?.text ?? language;
    return HTMLVideoElement.prototype.addTextTrack.call(video, kind, name, language);
  };
}
