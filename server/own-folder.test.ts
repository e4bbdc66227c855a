import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DroppedFilms } from "./films/drop/dropped-films.ts";
import { FilmShelf } from "./films/film-shelf.ts";
import { createLog } from "./log.ts";
import { temporaryFolder } from "./sample-app.ts";
import { requireWritableFolder } from "./setup/early-checks.ts";
import { openDatabase } from "./telemetry/open-database.ts";

test.each<[string, (data: string) => unknown]>([
  ["the set-up", requireWritableFolder],
  ["films", (data) => new DroppedFilms({ root: join(data, "films"), shelf: new FilmShelf([]) })],
  [
    "telemetry",
    async (data) => {
      const database = await openDatabase(
        join(data, "telemetry.duckdb"),
        createLog("error", () => undefined),
      );
      onTestFinished(() => database.close());
    },
  ],
])("a --data folder that %s is the first to need is this account's alone", async (_what, make) => {
  const data = join(temporaryFolder(), "new", "data");
  await make(data);
  expect(statSync(data).mode & 0o777).toBe(0o700);
});
