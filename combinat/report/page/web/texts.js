// Every text that the script of a report's page writes, in one place. {name} stands for a value.

const TEXTS = {
  bar: "What this page shows",
  contents: "Contents",
  decks: "Decks",
  decks_option: "{n} decks",
  deck_option: "1 deck",
  of_document: "{decks} (this report)",
  switched: "What has a bar at its left shows {decks}; all else stays at {reference}, or says what it is of.",

  sort_by: "Sort by {head}",
  only_favours: "Only what favours the player",
  every: "all",
  shown_rows: "{n} of {all} rows",
  copy_csv: "Copy as CSV",
  copy_csv_of: "Copy as CSV: {table}",
  copy: "Copy",
  copied: "Copied.",
  csv_copied: "Copied as CSV: {n} rows.",
  not_copied: "The browser did not allow copying; select the text and copy it by hand.",

  odds_of: "Odds of {bet}, {line}",
  no_odds: 'write the profit to a stake, such as "50 to 1", "0.95 to 1" or "3 to 2"',
  tried: "Not the document's odds",
  tried_edge: "{bet} with {odds}, {decks}: house edge {edge} % = {exact}; return {back} %; standard deviation {deviation}.",
  tried_line: "{odds} for {line}",
  document_edge: "With the document's odds: house edge {edge} %.",
  favours_player: "It favours the player.",
  document_odds: "Back to the document's odds",
};

// The text of a key, with its values put in.
export function t(key, values = {}) {
  const pattern = TEXTS[key];
  if (pattern === undefined) throw new RangeError(`no text for ${key}`);
  return pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

export const decksText = (number) => t(number === "1" ? "deck_option" : "decks_option", { n: number });
