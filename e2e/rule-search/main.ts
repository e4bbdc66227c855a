/** `node --import tsx main.ts`: reads links and choices, a line of JSON; prints what was found. */

import { text } from "node:stream/consumers";
import { OUTLOOK_TIMES } from "../../player/src/rules/bandwidth-outlook.ts";
import { bba } from "../../player/src/rules/bba.ts";
import { robustMpc } from "../../player/src/rules/robust-mpc.ts";
import type { QuickLink } from "./quick-film.ts";
import { type Films, type Score, scoreOf } from "./score.ts";
import { armOf, CHOSEN, search } from "./search.ts";

interface Request {
  readonly links: readonly QuickLink[];
  readonly otherLinks: readonly QuickLink[];
  readonly rounds: number;
  readonly starts: number;
  readonly seed: number;
}

const SEGMENTS = 45;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function line(name: string, { total, families }: Score): string {
  const of = families.map(
    ({ family, qoePerSegment, stallSeconds }) =>
      `${family} ${qoePerSegment.toFixed(2)} (${stallSeconds.toFixed(2)} s)`,
  );
  return `${name.padEnd(10)} ${total.toFixed(4)}  ${of.join(", ")}`;
}

const { links, otherLinks, rounds, starts, seed } = JSON.parse(await text(process.stdin)) as Request;
const films: Films = { links, starts, segments: SEGMENTS, seed };
const best =
  rounds === 0
    ? CHOSEN
    : search(films, CHOSEN, rounds, (round, _constants, score) => say(line(`round ${round}`, score)));
const others: Films = { ...films, links: otherLinks, seed: seed + 1 };
say(
  "Over links and places that the search has not seen: score, QoE_lin a segment (and stalls) of each family",
);
if (best !== CHOSEN) say(line("found", scoreOf(armOf(best), others)));
say(line("NuwaRule", scoreOf(armOf(CHOSEN), others)));
say(line("RobustMPC", scoreOf({ rule: robustMpc, times: OUTLOOK_TIMES }, others)));
say(line("BBA", scoreOf({ rule: bba, times: OUTLOOK_TIMES }, others)));
say(JSON.stringify(best));
