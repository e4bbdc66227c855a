/** Numbers as the page writes them. */

export const NOTHING = "–";

export function megabits(bitsPerSecond: number | null, digits = 1): string {
  return bitsPerSecond === null ? NOTHING : `${(bitsPerSecond / 1e6).toFixed(digits)} Mbit/s`;
}

export function milliseconds(seconds: number | null, digits = 0): string {
  return seconds === null ? NOTHING : `${(seconds * 1000).toFixed(digits)} ms`;
}

export function seconds(value: number, digits: number): string {
  return `${value.toFixed(digits)} s`;
}

export function kilobytes(bytes: number | null): string {
  return bytes === null ? NOTHING : `${(bytes / 1000).toFixed(0)} kB`;
}

/** "1:05". */
export function clockText(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** "1 stall", "2 stalls", "no stalls". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return count === 0 ? `no ${many}` : `${count} ${count === 1 ? one : many}`;
}

/** Programs that write their names small keep them so. */
export function capitalise(sentence: string): string {
  if (/^ffmpeg\b/.test(sentence)) {
    return sentence;
  }
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** With a capital and a full stop. */
export function asSentence(text: string): string {
  return `${capitalise(text.replace(/\.$/, ""))}.`;
}
