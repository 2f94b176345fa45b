// All that the page shows of a state, computed once for each shoe and each set of odds.

import { freshShoe, wholeDecks } from "./cards.js";
import { asked, betAnalysis } from "./bets.js";
import { betsOn, changedBook, isChanged, madeGame } from "./game.js";
import { insuranceAnalysis } from "./insurance.js";
import { distribution } from "./walk.js";

const kept = new Map();
const MOST_KEPT = 60;

function once(key, make) {
  if (!kept.has(key)) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
    kept.set(key, make());
  }
  return kept.get(key);
}

// The rounds of a shoe, counted. Changes never touch the Table of Play, so they share it.
export const countsOf = (game, shoe) => once(`counts ${game.id} ${shoe}`, () => asked(distribution(shoe, game.table)));

export const analysisOf = (game, bet, shoe) => betAnalysis(game, bet, countsOf(game, shoe));

export function gameOf(books, state) {
  const entry = books.entries.get(state.game);
  if (!isChanged(state.changes)) return entry.game;
  return once(`game ${state.game} ${JSON.stringify(state.changes)}`, () => madeGame(changedBook(entry.book, state.changes), books.common));
}

export function model(books, state) {
  const entry = books.entries.get(state.game);
  const game = gameOf(books, state);
  const counts = countsOf(game, state.shoe);
  const analyses = (which) => betsOn(which, state.layout).map((bet) => betAnalysis(which, bet, counts));
  const bets = analyses(game);
  return {
    entry,
    game,
    counts,
    bets,
    approved: isChanged(state.changes) ? analyses(entry.game) : bets,
    insurance: insuranceAnalysis(game, counts),
    isChanged: isChanged(state.changes),
    decks: wholeDecks(state.full),
    fresh: () => {
      const shoe = freshShoe(entry.reference_decks);
      return betsOn(entry.game, state.layout).map((bet) => analysisOf(entry.game, bet, shoe));
    },
  };
}
