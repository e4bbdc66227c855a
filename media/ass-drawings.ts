/** A shape in Advanced SubStation Alpha (`{\p1}m 0 0 l 100 0 ...`), of which ffmpeg leaves the commands as if they were said. */
const DRAWING = /^m(?: -?[\d.]+){2,}(?: [mnlbspc](?: -?[\d.]+)*)*$/;

/** WebVTT without the lines, and without the cues, that draw. */
export function withoutDrawings(webVtt: string): string {
  const blocks = webVtt.trimEnd().split(/\n{2,}/);
  const shown = blocks.flatMap((block) => {
    const lines = block.split("\n");
    const said = lines.filter((line) => !DRAWING.test(line.trim().replaceAll(/\s+/g, " ")));
    const hasText = said.at(-1)?.includes("-->") === false;
    return hasText ? [said.join("\n")] : [];
  });
  return `${shown.join("\n\n")}\n`;
}
