/** Typed events: who listens to what. */
export class Listeners<Events> {
  readonly #listeners: { [T in keyof Events]?: Set<(event: Events[T]) => void> } = {};

  /** What it returns ends the listening. */
  on<T extends keyof Events>(type: T, listener: (event: Events[T]) => void): () => void {
    this.#listeners[type] ??= new Set();
    const listeners = this.#listeners[type];
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }

  /** One that throws is reported as the browser does for its own events: others are told, and whoever tells goes on. */
  tell<T extends keyof Events>(type: T, event: Events[T]): void {
    for (const listener of [...(this.#listeners[type] ?? [])]) {
      try {
        listener(event);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** Nobody listens any more. */
  clear(): void {
    for (const listeners of Object.values<Set<unknown> | undefined>(this.#listeners)) {
      listeners?.clear();
    }
  }
}
