/**
 * Throws TypeError, which names the option, its value and what it may be, for one of another type: a page in JavaScript has no
 * compiler that tells, and a value from elsewhere may be null.
 *
 * @param types as `typeof` names them, or `null`, `array` or `URL`
 */
export function requireType(option: string, value: unknown, ...types: readonly string[]): void {
  if (!types.includes(typeOf(value))) {
    throw new TypeError(`${option} must be of type ${types.join(" or ")}, not ${told(value)}.`);
  }
}

/** The same of each that is said, by its name. */
export function requireTypes(options: object, types: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, allowed] of Object.entries(types)) {
    const value: unknown = options[name as never];
    if (value !== undefined) {
      requireType(name, value, ...allowed);
    }
  }
}

/** Tells in the console of options that there are not: one that a page without types misspells does nothing else. */
export function warnOfUnknown(options: object, known: Readonly<Record<string, true>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !Object.hasOwn(known, name)) {
      console.warn(`There is no option ${name} here; there are ${Object.keys(known).join(", ")}.`);
    }
  }
}

function typeOf(value: unknown): string {
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "array";
  }
  return isUrl(value) ? "URL" : typeof value;
}

/** Also where its class is that of another frame. */
export function isUrl(value: unknown): value is URL {
  return tagOf(value) === "[object URL]";
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

function told(value: unknown): string {
  return typeof value === "object" && value !== null
    ? tagOf(value)
    : typeof value === "string"
      ? JSON.stringify(value)
      : String(value);
}
