/** 11 pixels where the viewer has set no size of the text: the page's own size is 15 then. */
const SHARE_OF_TEXT = 11 / 15;

/** The page's colours and font as a canvas takes them: from the custom properties of an element, light or dark as it is now. */
export class Palette {
  /** Height of what is written, CSS pixels: it goes with the size of text that the viewer has set. */
  readonly fontPixels = fontPixelsNow();
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

  /** @param pixelRatio of the canvas, where what draws does not scale it itself */
  font(pixelRatio = 1): string {
    return `${this.fontPixels * pixelRatio}px ${this.#style.fontFamily}`;
  }
}

/** What a palette that is made now has. */
export function fontPixelsNow(): number {
  const { fontSize } = getComputedStyle(document.documentElement);
  return Math.round(SHARE_OF_TEXT * Number.parseFloat(fontSize));
}
