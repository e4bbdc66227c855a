import { decodeSfDict, SfItem, SfToken } from "@svta/cml-structured-field-values";
import { Refusal } from "../errors.ts";

/** Every key of CMCD at its longest, and a signed URL of 2,000 characters beside them. */
export const LONGEST_LINE_CHARACTERS = 4096;

/** The library's own `decodeCmcd` makes a symbol of each token, which V8 keeps for ever. */
const WITHOUT_SYMBOLS = { useSymbol: false };

/**
 * An event of a report: the one way by which CMCD that others wrote is decoded.
 *
 * @param number of the line, for the sentence
 * @throws Refusal 400 that names the line
 */
export function decodeCmcdLine(line: string, number: number): Record<string, unknown> {
  if (line.length > LONGEST_LINE_CHARACTERS)
    throw new Refusal(400, `line ${number} is longer than ${LONGEST_LINE_CHARACTERS} characters`);
  const cmcd = dictionaryOf(line);
  if (cmcd === null)
    throw new Refusal(400, `line ${number} is no dictionary of structured fields (RFC 9651)`);
  return cmcd;
}

/** null if it is none. */
function dictionaryOf(line: string): Record<string, unknown> | null {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // the decoder makes an Error for each number: their stacks take most of its time
  try {
    const members: [string, SfItem][] = Object.entries(decodeSfDict(line, WITHOUT_SYMBOLS));
    return Object.fromEntries(members.map(([key, { value }]) => [key, plain(value)]));
  } catch {
    return null;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** As `decodeCmcd` has it: a token is its name, an item without parameters its value. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof SfToken) return value.description;
  return value instanceof SfItem && !value.params ? plain(value.value) : value;
}
