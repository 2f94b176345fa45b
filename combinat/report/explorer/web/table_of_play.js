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

// The hand that draws next, given the points of the cards on the table; null if the round is over.
export function nextHand(table, player, banker) {
  if (player.length < 2 && player.length <= banker.length) return PLAYER;
  if (banker.length < 2) return BANKER;
  if (player.length < 2) return PLAYER;
  const [playerTotal, bankerTotal] = [pointTotal(player.slice(0, 2)), pointTotal(banker.slice(0, 2))];
  if (table.natural[bankerTotal] || banker.length === 3) return null;
  if (table.natural[playerTotal]) return table.against[bankerTotal] ? BANKER : null;
  if (player.length === 2 && table.player[playerTotal]) return PLAYER;
  return table.banker[bankerTotal][player.length === 3 ? player[2] : STOOD] ? BANKER : null;
}

// The rule that decides the next card after four cards or more: its numbers, and its cell in the table.
export function reason(table, player, banker) {
  const [playerTotal, bankerTotal] = [pointTotal(player.slice(0, 2)), pointTotal(banker.slice(0, 2))];
  const of = (why, row, at) => ({ why, row, at, player: playerTotal, banker: bankerTotal, third: player[2] });
  if (table.natural[playerTotal] || table.natural[bankerTotal]) {
    const draws = !table.natural[bankerTotal] && table.against[bankerTotal];
    const cell = table.natural[playerTotal] ? [PLAYER, playerTotal] : [bankerTotal, NATURAL];
    return of(draws ? "against_natural" : "natural", ...cell);
  }
  if (player.length === 2 && table.player[playerTotal]) return of("player_draws", PLAYER, playerTotal);
  const third = player.length === 3 ? player[2] : STOOD;
  const draws = table.banker[bankerTotal][third] ? "draws" : "stands";
  return of(third === STOOD ? `stood_${draws}` : `banker_${draws}`, bankerTotal, third);
}
