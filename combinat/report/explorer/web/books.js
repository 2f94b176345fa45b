// The rule books in the page.

import { gameFrom } from "./game.js";
import { useTexts } from "./texts.js";

// `data`: the JSON of the page: version, texts, the common Table of Play, and the rule books.
export function readBooks(data) {
  useTexts(data.texts);
  const entries = data.games.map((one) => ({ ...one, game: gameFrom(one.book, data.common_table) }));
  return {
    version: data.version,
    common: data.common_table,
    entries: new Map(entries.map((one) => [one.book.id, one])),
    games: new Map(entries.map((one) => [one.book.id, one.game])),
    referenceDecks: new Map(entries.map((one) => [one.book.id, one.reference_decks])),
  };
}
