/** A menu that is closed tells each press of an arrow key as a choice; whoever walks through it passes on within this time. */
const SETTLE_MS = 300;

/** Acts once nothing has come for a while, on all that came until then; of two values for one name the last counts. */
export function onceSettled<T extends object>(act: (changes: Partial<T>) => void, waitMs = SETTLE_MS) {
  let pending: Partial<T> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (changes: Partial<T>): void => {
    pending = { ...pending, ...changes };
    clearTimeout(timer);
    timer = setTimeout(() => {
      const settled = pending;
      pending = {};
      act(settled);
    }, waitMs);
  };
}
