import { expect, test } from "vitest";
import { createLog, headWithTime } from "./log.ts";
import { relayTransportLog } from "./transport-log.ts";

test("the media server's lines get the server's form, with their own level", () => {
  const lines: string[] = [];
  const log = createLog(
    "info",
    (line) => lines.push(line),
    headWithTime(() => new Date("2030-01-02T03:04:05.678Z")),
  );
  const relay = relayTransportLog(log);
  relay("INFO transport.media_server.server: serving 3 files of /films");
  relay("WARNING quic: [1] slow");
  relay("DEBUG asyncio: dropped, as the level asks");
  relay("Traceback (most recent call last):");
  relay("OSError: no such directory");
  expect(lines).toEqual([
    "2030-01-02T03:04:05.678Z info  media server: media_server.server: serving 3 files of /films\n",
    "2030-01-02T03:04:05.678Z warn  media server: quic: [1] slow\n",
    "2030-01-02T03:04:05.678Z error media server: Traceback (most recent call last):\n",
    "2030-01-02T03:04:05.678Z error media server: OSError: no such directory\n",
  ]);
});
