import { type ReadonlySignal, Signal } from "../../session/signal.ts";

/** Has the value of another signal, whichever it follows now. */
export class FollowingSignal<T> extends Signal<T> {
  #leave: () => void = () => undefined;

  follow(source: ReadonlySignal<T>): void {
    this.#leave();
    this.#leave = source.watch((value) => {
      this.value = value;
    });
  }
}
