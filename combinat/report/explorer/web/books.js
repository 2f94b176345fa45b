// The rule books that travel in the page.

import { madeGame } from "./game.js";

// `carried`: what the page holds as JSON: the version, the common Table of Play, and the rule books.
export function readBooks(carried) {
  const entries = carried.games.map((one) => ({ ...one, game: madeGame(one.book, carried.common_table) }));
  return {
    version: carried.version,
    common: carried.common_table,
    entries: new Map(entries.map((one) => [one.book.id, one])),
    games: new Map(entries.map((one) => [one.book.id, one.game])),
    referenceDecks: new Map(entries.map((one) => [one.book.id, one.reference_decks])),
  };
}
