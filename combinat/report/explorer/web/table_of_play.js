// The Table of Play: who draws the next card, and why.

import { pointTotal } from "./cards.js";
import { parsedPoints } from "./odds.js";

export const PLAYER = "player";
export const BANKER = "banker";
export const HANDS = [PLAYER, BANKER];
export const STOOD = 10; // the column for a Player Hand that stood
export const NATURAL = "natural"; // the one column of a Banker's natural

export const otherHand = (hand) => (hand === PLAYER ? BANKER : PLAYER);

const orNone = (written) => (written === "none" ? [] : parsedPoints(written));

// The printed table, cell by cell: player[total], banker[total][third or STOOD], natural[total], and
// against[total]: the Banker Hand draws against a natural of the Player.
export function tableOfPlay(printed) {
  const among = (points) => Array.from({ length: 10 }, (_, total) => points.includes(total));
  const thirds = among([]).map(() => new Set());
  for (const row of printed.banker_draws) {
    for (const total of parsedPoints(row.points))
      for (const third of orNone(row.third)) thirds[total].add(third);
  }
  const stood = among(orNone(printed.banker_draws_when_player_stood));
  return {
    natural: among(orNone(printed.natural)),
    against: among(orNone(printed.banker_draws_against_natural ?? "none")),
    player: among(orNone(printed.player_draws)),
    banker: thirds.map((some, total) => [
      ...Array.from({ length: 10 }, (_, third) => some.has(third)),
      stood[total],
    ]),
  };
}

// The next step of a round, given the points of the cards on the table: the hand that draws, null at its end;
// from four cards on also the rule that decides it, its numbers, and its cell in the table.
export function decision(table, player, banker) {
  if (player.length < 2 || banker.length < 2) {
    return { next: player.length < 2 && player.length <= banker.length ? PLAYER : BANKER };
  }
  const [ours, theirs] = [pointTotal(player.slice(0, 2)), pointTotal(banker.slice(0, 2))];
  const numbers = { player: ours, banker: theirs, third: player[2] };
  const of = (next, why, row, at) => ({ next, why, row, at, ...numbers });
  if (banker.length === 3) return of(null, "last");
  if (table.natural[ours] || table.natural[theirs]) {
    const cell = table.natural[ours] ? [PLAYER, ours] : [theirs, NATURAL];
    const draws = !table.natural[theirs] && table.against[theirs];
    return of(draws ? BANKER : null, draws ? "against_natural" : "natural", ...cell);
  }
  const isStood = player.length === 2;
  if (isStood && table.player[ours]) return of(PLAYER, "player_draws", PLAYER, ours);
  const third = isStood ? STOOD : player[2];
  const draws = table.banker[theirs][third];
  const why = `${isStood ? "stood" : "banker"}_${draws ? "draws" : "stands"}`;
  return of(draws ? BANKER : null, why, theirs, third);
}

export const nextHand = (...round) => decision(...round).next;
