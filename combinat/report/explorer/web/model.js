// The rule books in the page, and the figures of a state, computed once for each shoe and each set of odds.

import { valuedBet } from "./bets.js";
import { freshShoe } from "./cards.js";
import { betsOn, changedBook, gameFrom, isChanged } from "./game.js";
import { insuranceAnalysis } from "./insurance.js";
import { useTexts } from "./texts.js";
import { countsFor } from "./walk.js";

// `data`: the JSON of the page: version, texts, the common Table of Play, and the rule books.
export function readBooks(data) {
  useTexts(data.texts);
  const entries = data.games.map((one) => ({ ...one, game: gameFrom(one.book, data.common_table) }));
  return {
    version: data.version,
    common: data.common_table,
    entries: new Map(entries.map((one) => [one.book.id, one])),
  };
}

const cache = new Map();
const CACHED = 60;

function once(key, make) {
  if (!cache.has(key)) {
    if (cache.size >= CACHED) cache.delete(cache.keys().next().value);
    cache.set(key, make());
  }
  return cache.get(key);
}

// The rounds of a shoe. Games with one Table of Play share them.
const countsOf = (game, shoe) =>
  once(`counts ${JSON.stringify(game.table)} ${game.ranks} ${shoe}`, () => countsFor(game, shoe));

export const analysisOf = (game, bet, shoe) => valuedBet(game, bet, countsOf(game, shoe));

function gameOf(books, { game, changes }) {
  const entry = books.entries.get(game);
  if (!isChanged(changes)) return entry.game;
  return once(`game ${game} ${JSON.stringify(changes)}`, () =>
    gameFrom(changedBook(entry.book, changes), books.common),
  );
}

export function model(books, state) {
  const entry = books.entries.get(state.game);
  const game = gameOf(books, state);
  const counts = countsOf(game, state.shoe);
  const shown = betsOn(game, state.layout);
  const bets = shown.map((bet) => valuedBet(game, bet, counts));
  const asApproved = (shoe) => shown.map((bet) => analysisOf(entry.game, entry.game.bet(bet.id), shoe));
  return {
    entry,
    game,
    counts,
    bets,
    approved: isChanged(state.changes) ? asApproved(state.shoe) : bets,
    insurance: insuranceAnalysis(game, counts),
    isChanged: isChanged(state.changes),
    fresh: () => asApproved(freshShoe(entry.reference_decks)),
  };
}
