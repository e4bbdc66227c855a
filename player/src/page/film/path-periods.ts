import type { Band } from "../../charts/bands.ts";
import type { MediaPath } from "../../session/media-path.ts";

/** Remembers when the film came over HTTP. */
export class PathPeriods {
  readonly #periods: { readonly fromSeconds: number; toSeconds: number | null }[] = [];

  add(atSeconds: number, kind: MediaPath["kind"]): void {
    const last = this.#periods.at(-1);
    const isOverHttp = last !== undefined && last.toSeconds === null;
    if (kind === "http" && !isOverHttp) {
      this.#periods.push({ fromSeconds: atSeconds, toSeconds: null });
    } else if (kind !== "http" && isOverHttp) {
      last.toSeconds = atSeconds;
    }
  }

  overHttp(side: 0 | 1 | null): Band[] {
    return this.#periods.map(({ fromSeconds, toSeconds }) => ({
      kind: "http",
      fromSeconds,
      toSeconds,
      side,
    }));
  }
}
