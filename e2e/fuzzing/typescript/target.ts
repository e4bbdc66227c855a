import type fc from "fast-check";

/** One parser; `registry.ts` lists them, `../registry.py` says what they count towards. */
export interface NodeTarget {
  readonly name: string;
  readonly inputs: fc.Arbitrary<Uint8Array>;
  /** Made anew after so many inputs. */
  readonly inputsEach: number;
  open(): Subject;
}

/** What inputs are fed to. */
export interface Subject {
  /** Whether the input was understood; false where it was refused as it should be. Whatever is thrown is a finding. */
  feed(data: Uint8Array): boolean | Promise<boolean>;
  close?(): void | Promise<void>;
}

/** For a function without a memory: what it throws as a refusal. */
export function parser(
  parse: (data: Uint8Array) => unknown,
  isRefusal: (error: unknown) => boolean,
): () => Subject {
  return () => ({
    feed(data) {
      try {
        parse(data);
      } catch (error) {
        if (isRefusal(error)) return false;
        throw error;
      }
      return true;
    },
  });
}
