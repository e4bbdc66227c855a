/** The page's colours as a canvas takes them: from the custom properties of an element, light or dark as it is now. */
export class Palette {
  readonly #style: CSSStyleDeclaration;
  readonly #probe: CanvasRenderingContext2D;
  /** Asking for a style may make the browser work it out for the whole page. */
  readonly #colours = new Map<string, string>();

  constructor(element: Element) {
    this.#style = getComputedStyle(element);
    const probe = document.createElement("canvas").getContext("2d");
    if (probe === null) {
      throw new Error("the browser gives no canvas to draw charts on");
    }
    this.#probe = probe;
  }

  /** The colour of a custom property registered as `<color>` in colours.css, as `#rrggbb` or `rgba()`. */
  colour(property: string): string {
    const known = this.#colours.get(property);
    if (known !== undefined) {
      return known;
    }
    this.#probe.fillStyle = this.#style.getPropertyValue(property).trim();
    this.#colours.set(property, this.#probe.fillStyle);
    return this.#probe.fillStyle;
  }

  get font(): string {
    return `11px ${this.#style.fontFamily}`;
  }
}
