// All that the page shows of a state, computed once for each shoe and each set of odds.

import { freshShoe, wholeDecks } from "./cards.js";
import { asked, valuedBet } from "./bets.js";
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

// The rounds of a shoe, counted. Games that are dealt by one Table of Play share them.
export const countsOf = (game, shoe) => once(`counts ${JSON.stringify(game.table)} ${game.ranks} ${shoe}`, () => asked(distribution(shoe, game.table, [], [], { ranks: game.ranks })));

export const analysisOf = (game, bet, shoe) => valuedBet(game, bet, countsOf(game, shoe));

export function gameOf(books, state) {
  const entry = books.entries.get(state.game);
  if (!isChanged(state.changes)) return entry.game;
  return once(`game ${state.game} ${JSON.stringify(state.changes)}`, () => madeGame(changedBook(entry.book, state.changes, books.common), books.common));
}

export function model(books, state) {
  const entry = books.entries.get(state.game);
  const game = gameOf(books, state);
  const counts = countsOf(game, state.shoe);
  const shown = betsOn(game, state.layout);
  const bets = shown.map((bet) => valuedBet(game, bet, counts));
  // The same bets by the rule book as it was approved.
  const asApproved = (shoe) => shown.map((bet) => analysisOf(entry.game, entry.game.bet(bet.id), shoe));
  return {
    entry,
    game,
    counts,
    bets,
    approved: isChanged(state.changes) ? asApproved(state.shoe) : bets,
    insurance: insuranceAnalysis(game, counts),
    isChanged: isChanged(state.changes),
    decks: wholeDecks(state.full),
    fresh: () => asApproved(freshShoe(entry.reference_decks)),
  };
}
