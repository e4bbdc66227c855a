/** What is known of captions by their manifest, as dash.js has it. */
export interface CaptionInfo {
  readonly id: string | number | null;
  readonly labels: readonly { readonly text: string }[];
}

/**
 * Has the browser's own menu of captions show the manifest's labels: dash.js gives it the numbers of adaptation sets
 * (`_createNativeTextrackElement` in its TextTracks.js).
 */
export function nameCaptions(video: HTMLVideoElement, captions: () => readonly CaptionInfo[]): void {
  video.addTextTrack = (kind, label, language) => {
    const known = captions().find(({ id }) => String(id) === label);
    const name = known?.labels[0]?.text ?? label;
    return HTMLVideoElement.prototype.addTextTrack.call(video, kind, name, language);
  };
}
