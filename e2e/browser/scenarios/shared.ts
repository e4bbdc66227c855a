/** Something that takes long to start: started when somebody first needs it, and kept for those who come after. */
export class Shared<Thing extends object> implements AsyncDisposable {
  readonly #stop: (thing: Thing) => Promise<void>;
  #starting: Promise<Thing> | null = null;

  constructor(stop: (thing: Thing) => Promise<void>) {
    this.#stop = stop;
  }

  get(start: () => Promise<Thing>): Promise<Thing> {
    this.#starting ??= start();
    return this.#starting;
  }

  /** Who asks next has another one. */
  async [Symbol.asyncDispose](): Promise<void> {
    const starting = this.#starting;
    this.#starting = null;
    if (starting === null) return;
    const [started] = await Promise.allSettled([starting]); // who asked was told why it did not start
    if (started.status === "fulfilled") await this.#stop(started.value);
  }
}
