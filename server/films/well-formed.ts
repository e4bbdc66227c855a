/** An MPD nests about ten deep; a parser takes a frame of the stack for each. */
const DEEPEST = 64;
/** A timeline of a week of two-second segments, none like the one before it, has 302,400. */
const MOST_ELEMENTS = 500_000;

/** What may follow a place in a document, each as far as it goes; none can match the beginning of another. */
const TEXT = /[^<]+/y;
const COMMENT = /<!--(?!-?>)/y;
const CDATA = /<!\[CDATA\[/y;
const INSTRUCTION = /<\?[^<>]*\?>/y;
const CLOSING = /<\/([A-Za-z_][\w.:-]*)[ \t\r\n]*>/y;
const OPENING = /<([A-Za-z_][\w.:-]*)/y;
const ATTRIBUTE = /[ \t\r\n]+[A-Za-z][\w.:-]*[ \t\r\n]*=[ \t\r\n]*(?:"[^"<]*"|'[^'<]*')/y;
const END_OF_TAG = /[ \t\r\n]*(\/?)>/y;

/**
 * Why a text is no XML that can be given to a parser: @svta/cml-xml does not come back from a tag that breaks off. Names are
 * those that MPDs have, and there is no DOCTYPE, which they have not.
 *
 * @returns a clause without a subject, `breaks off at line 3`; null where the text is whole
 */
export function xmlFault(text: string): string | null {
  const scan = new Scan(text);
  const open: string[] = [];
  let elements = 0;
  let hasRoot = false;
  while (!scan.isAtEnd) {
    if (scan.take(TEXT) !== null || scan.take(INSTRUCTION) !== null) continue;
    if (scan.take(COMMENT) !== null) {
      if (!scan.goPast("-->")) return scan.fault();
    } else if (scan.take(CDATA) !== null) {
      if (!scan.goPast("]]>")) return scan.fault();
    } else {
      const closing = scan.take(CLOSING);
      if (closing !== null) {
        if (open.pop() !== closing[1]) return scan.fault();
        continue;
      }
      const name = scan.take(OPENING)?.[1];
      if (name === undefined || (hasRoot && open.length === 0)) return scan.fault();
      while (scan.take(ATTRIBUTE) !== null);
      const end = scan.take(END_OF_TAG);
      if (end === null) return scan.fault();
      hasRoot = true;
      if (end[1] === "") open.push(name);
      if (open.length > DEEPEST) return `nests deeper than ${DEEPEST} elements`;
      if (++elements > MOST_ELEMENTS) return `has more than ${MOST_ELEMENTS} elements`;
    }
  }
  return open.length === 0 ? null : scan.fault();
}

/** A place in a text that goes forward. */
class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Goes past what a sticky expression matches here. */
  take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match !== null) this.#at = expression.lastIndex;
    return match;
  }

  /** Whether there was such an end. */
  goPast(end: string): boolean {
    const found = this.#text.indexOf(end, this.#at);
    if (found !== -1) this.#at = found + end.length;
    return found !== -1;
  }

  fault(): string {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    const isLast = this.#text.indexOf(">", this.#at) === -1;
    return `${isLast ? "breaks off" : "is damaged"} at line ${line}`;
  }
}
