import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MediaError } from "./media-error.ts";
import { processSpace } from "./process-life.mjs";
import { makePartialDirectory, publish } from "./workspace.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "nuwa-workspace-"));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

/** A folder of work; here it is whole when it holds the word "whole". */
async function work(content: string): Promise<string> {
  const partial = await makePartialDirectory(root);
  await writeFile(join(partial, "work"), content);
  return partial;
}

async function contentOf(directory: string): Promise<string> {
  return readFile(join(directory, "work"), "utf8");
}

async function isWhole(directory: string): Promise<boolean> {
  return (await contentOf(directory)).startsWith("whole");
}

describe("publishing", () => {
  it("is decided by the first rename: a whole presentation is never replaced", async () => {
    const directory = join(root, "film");
    const [first, second] = [await work("whole 1"), await work("whole 2")];
    const published = [await publish(first, directory, isWhole), await publish(second, directory, isWhole)];
    expect(published).toEqual([true, false]);
    expect(await contentOf(directory)).toBe("whole 1");
  });

  it("replaces a damaged presentation and leaves nothing of it", async () => {
    const directory = join(root, "film");
    await rename(await work("damaged"), directory);
    expect(await publish(await work("whole"), directory, isWhole)).toBe(true);
    expect(await contentOf(directory)).toBe("whole");
    expect(await readdir(root)).toEqual(["film"]);
  });

  it("puts another process's work back that took the damaged one's place in between", async () => {
    const directory = join(root, "film");
    await rename(await work("damaged"), directory);
    const ours = await work("whole, ours");
    let looks = 0;
    const replacedAfterFirstLook = async (candidate: string) => {
      looks += 1;
      if (looks > 1) return isWhole(candidate);
      await writeFile(join(directory, "work"), "whole, theirs");
      return false;
    };
    expect(await publish(ours, directory, replacedAfterFirstLook)).toBe(false);
    expect(await contentOf(directory)).toBe("whole, theirs");
  });
});

describe("the hidden folders of work", () => {
  it("are removed when their process is gone, and only then", async () => {
    const space = processSpace();
    const gone = 2 ** 22 + 1; // above the highest process id that Linux gives
    await mkdir(join(root, `.partial@${space}@${gone}@abc`));
    await mkdir(join(root, `.partial@elsewhere@${gone}@abc`)); // a machine whose processes cannot be seen from here
    const killedThere = join(root, `.partial@elsewhere@${gone}@def`);
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    await mkdir(killedThere);
    await utimes(killedThere, twoDaysAgo, twoDaysAgo);
    const slowThere = join(root, `.partial@elsewhere@${gone}@012`);
    await mkdir(slowThere);
    await writeFile(join(slowThere, "work"), "being written");
    await utimes(slowThere, twoDaysAgo, twoDaysAgo);
    const mine = await makePartialDirectory(root);
    await makePartialDirectory(root);
    const names = await readdir(root);
    expect(names).not.toContain(`.partial@${space}@${gone}@abc`);
    expect(names).toContain(`.partial@elsewhere@${gone}@abc`);
    expect(names.map((name) => join(root, name))).not.toContain(killedThere);
    expect(names.map((name) => join(root, name))).toContain(slowThere);
    expect(names.map((name) => join(root, name))).toContain(mine);
  });

  it.runIf(process.platform === "linux")(
    "are removed when another process has their process's number, as after a container's end",
    async () => {
      const space = processSpace();
      const ofNumberAlone = `.partial@${space}@${process.pid}@abc`;
      const killed = `.partial@${space}@${process.pid}@1@abc`;
      await mkdir(join(root, ofNumberAlone));
      await mkdir(join(root, killed));
      const mine = await makePartialDirectory(root);
      await makePartialDirectory(root);
      const names = await readdir(root);
      expect(names).not.toContain(killed);
      expect(names).toContain(ofNumberAlone);
      expect(names.map((name) => join(root, name))).toContain(mine);
    },
  );

  it.runIf(process.platform === "linux")(
    "are left where who made them may be in another container of this host's name",
    async () => {
      const elsewhere = processSpace().replace(/\+\d+$/, "+5");
      const name = `.partial@${elsewhere}@${process.pid}@1@abc`;
      await mkdir(join(root, name));
      await makePartialDirectory(root);
      expect(await readdir(root)).toContain(name);
    },
  );

  it("cannot be made below a file, which is said", async () => {
    await writeFile(join(root, "file"), "");
    const making = makePartialDirectory(join(root, "file", "media"));
    await expect(making).rejects.toThrow(MediaError);
    await expect(making).rejects.toThrow(/media cannot be written \(ENOTDIR\); choose another one/);
  });
});
