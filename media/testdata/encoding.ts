// Runs what is called ffmpeg and encodes for a minute, in the folder that is named; says its process's number.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runFfmpeg } from "../run-ffmpeg.ts";

const [, , workingDirectory = ""] = process.argv;
const ffmpegPath = join(workingDirectory, "ffmpeg");
writeFileSync(ffmpegPath, "#!/bin/sh\necho out_time_us=$$000000\nexec sleep 60\n", { mode: 0o700 });
await runFfmpeg({
  ffmpegPath,
  arguments: [],
  workingDirectory,
  filmName: "a.mp4",
  onEncodedSeconds: (seconds) => process.stdout.write(String(seconds)),
});
