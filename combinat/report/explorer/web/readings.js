// Other readings of unclear clauses: what an entry of the register puts in the place of the rule book's own words.

import { orNone } from "./table_of_play.js";
import { t } from "./texts.js";

const NEVER = "never";

// Questions of practice: those that a settlement of the page asks, and those of a table or an incident, which it does not show.
const SETTLED_HERE = ["insured_hand", "tied_bets"];
const AT_THE_TABLE = ["available_bets", "silent_player", "squeeze_waives", "differential", "pro_rata", "under_minimum", "minimum_of", "options_for", "early_cards"];
const PRACTICES = [...AT_THE_TABLE, ...SETTLED_HERE];

export const copied = (value) => JSON.parse(JSON.stringify(value));

export const entryOf = (book, id) => (book.interpretations ?? []).find((entry) => entry.id === id) ?? null;

// Whether the other reading changes a figure or a settlement of the page.
export const isShownHere = (entry) => Object.keys(entry.instead).some((key) => !AT_THE_TABLE.includes(key));

const LIMIT_KEYS = ["clause", "caps", "per", "share", "of", "odds", "procedure"];
const sameLimit = (one, other) => LIMIT_KEYS.every((key) => one[key] === other[key]);

function changedLimits(own, others) {
  if (!others.length) return [];
  if (!own.length) return [t("place_limits")];
  const sameLines = own.length === others.length;
  return own.flatMap((limit, at) => (sameLines && sameLimit(others[at], limit) ? [] : [t("place_limit", { n: at + 1 })]));
}

// The places of the rule book in which an entry puts something else, in words.
function places(book, { instead }) {
  return [
    ...(instead.bets ?? []).map((bet) => t("place_bet", { bet: book.bets.find((one) => one.id === bet.id)?.name ?? bet.id })),
    ...(instead.layouts ?? []).map((layout) => t("place_layout", { layout: layout.id })),
    ...(instead.insurance ?? []).map((table) => t("place_insurance", { table: t("insurance_name", { hand: t(table.side), stage: t(table.stage) }) })),
    ...(instead.insurance_open ? [t("place_open")] : []),
    ...changedLimits(book.insurance_terms?.limits ?? [], instead.insurance_limits ?? []),
    ...(instead.void_bets ? [t("place_void")] : []),
    ...(instead.banker_draws_against_natural === undefined ? [] : [t("place_natural")]),
    ...PRACTICES.filter((key) => instead[key]).map((key) => t("place_practice", { practice: key.replaceAll("_", " ") })),
  ];
}

// Why these entries cannot be followed together: one is named twice, or two change one thing; empty: they can be.
export function contradiction(book, ids) {
  for (const [number, id] of ids.entries()) {
    for (const earlier of ids.slice(0, number)) {
      if (earlier === id) return t("reading_twice", { id });
      const first = places(book, entryOf(book, earlier));
      const both = places(book, entryOf(book, id)).find((place) => first.includes(place));
      if (both) return t("readings_contradict", { earlier, id, both });
    }
  }
  return "";
}

// What an entry touches, coarsely: another entry that speaks of the same no longer fits a book that was changed so.
export function touchedBy(instead) {
  return [
    ...(instead.bets ?? []).map((bet) => `bet ${bet.id}`),
    ...(instead.layouts ?? []).map((layout) => `layout ${layout.id}`),
    ...(instead.insurance || instead.insurance_limits || instead.insurance_open ? ["insurance"] : []),
    ...(instead.void_bets ? ["void"] : []),
    ...(instead.banker_draws_against_natural === undefined ? [] : ["table of play"]),
    ...PRACTICES.filter((key) => instead[key]).map((key) => `practice ${key}`),
  ];
}

// ---------------------------------------------------------------- one more reading, taken

function putLayouts(book, others) {
  const shown = new Map(others.map((layout) => [layout.id, layout.bets]));
  const offers = (layout, bet) => (shown.has(layout) ? shown.get(layout).includes(bet.id) : bet.layouts.includes(layout));
  for (const bet of book.bets) bet.layouts = book.layouts.map((layout) => layout.id).filter((layout) => offers(layout, bet));
}

function putInsurance(book, instead, own) {
  const terms = book.insurance_terms;
  if (!terms) return;
  if ((instead.insurance_open ?? terms.open) === NEVER) {
    delete book.insurance_terms;
    delete book.insurance;
    return;
  }
  for (const other of instead.insurance ?? []) {
    book.insurance.find((one) => one.side === other.side && one.stage === other.stage).offers = copied(other.offers);
  }
  terms.open = instead.insurance_open ?? terms.open;
  const others = instead.insurance_limits ?? [];
  if (!others.length) return;
  // Line by line where there are as many, so that what another reading changed in other lines stays.
  const byLine = others.length === own.length && terms.limits.length === own.length;
  terms.limits = copied(others.map((other, at) => (byLine && sameLimit(other, own[at]) ? terms.limits[at] : other)));
}

function putTable(book, against, common) {
  const printed = book.table_of_play ?? common;
  const draws = (written) => `${orNone(written ?? "none")}`;
  if (draws(against) === draws(printed.banker_draws_against_natural)) return;
  book.table_of_play = {
    ...copied(printed),
    clause: book.table_of_play?.clause ?? book.clauses.table_of_play,
    stood_clause: book.table_of_play?.stood_clause ?? book.clauses.third_cards,
    banker_draws_against_natural: against,
  };
  delete book.clauses.table_of_play;
  delete book.clauses.third_cards;
}

// Puts what an entry says into `book`, which came of `document`; `common`: the Table of Play of a book that states none.
export function readOtherwise(book, document, id, common) {
  const instead = entryOf(document, id)?.instead;
  if (!instead) return;
  for (const other of instead.bets ?? []) book.bets.find((bet) => bet.id === other.id).pays = copied(other.pays);
  if (instead.layouts) putLayouts(book, instead.layouts);
  putInsurance(book, instead, document.insurance_terms?.limits ?? []);
  if (instead.void_bets) book.void.bets = instead.void_bets;
  if (instead.banker_draws_against_natural !== undefined) putTable(book, instead.banker_draws_against_natural, common);
  for (const key of PRACTICES) if (instead[key]) book.practice = { ...book.practice, [key]: instead[key] };
}
