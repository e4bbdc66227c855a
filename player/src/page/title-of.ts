/** What a name is called in a menu; itself where no entry has it. */
export function titleOf(
  entries: readonly { readonly name: string; readonly title: string }[],
  name: string,
): string {
  return entries.find((entry) => entry.name === name)?.title ?? name;
}
