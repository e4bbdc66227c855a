/**
 * Whether the focus is on one of the controls that the browser gives a film: from outside they all are the film. Chromium keeps
 * their keys to itself, Firefox lets the page have them first. Told by how the focus came there.
 */
export class NativeControls {
  #hasFocus = false;

  /** By Tab from the film itself the focus goes to the first of them, by Shift and Tab from what follows to the last. */
  onTab(isBackwards: boolean, isOnFilm: boolean): void {
    this.#hasFocus = isBackwards || isOnFilm;
  }

  onPointer(): void {
    this.#hasFocus = false;
  }

  /** Of a film that has the focus. */
  get haveFocus(): boolean {
    return this.#hasFocus;
  }
}
