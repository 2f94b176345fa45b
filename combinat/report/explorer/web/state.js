// What is on the page, and its link: game, shoe, round, odds, all in the address after the #.

import { RANKS, freshShoe, minus, parsedRank, parsedShoe, wholeDecks } from "./cards.js";
import { NO_CHANGES, changedBook, madeGame } from "./game.js";
import { refusedReadings } from "./holding.js";
import { LOSE, PUSH, netOf } from "./odds.js";
import { isShownHere } from "./readings.js";
import { dealable, dealtRound } from "./round.js";
import { parsedFraction } from "./fraction.js";

export const VIEWS = ["shoe", "round", "pays", "pictures", "words"];
export const SORTS = ["order", "bet", "wins", "one_in", "edge", "fair"];
const MOST_SHUFFLED = 5200; // cards of a shoe that is dealt to its end

export const canBeDealt = (cards) => cards <= MOST_SHUFFLED;

export function freshState(books, gameId = [...books.entries.keys()][0]) {
  return {
    game: gameId,
    layout: "",
    view: "shoe",
    shoe: freshShoe(books.referenceDecks.get(gameId)),
    full: freshShoe(books.referenceDecks.get(gameId)),
    round: [],
    changes: NO_CHANGES,
    stakes: {},
    insured: {},
    maximum: "",
    differential: "",
    sort: "order",
    descending: false,
    bet: "",
    heat: 0,
    seed: 1,
  };
}

const listOf = (table) => Object.entries(table).flatMap(([key, lines]) => Object.entries(lines).map(([index, odds]) => [key, index, odds].join(":")));

const amountsOf = (table) => Object.entries(table).map((pair) => pair.join(":"));

export function fragment(books, state) {
  const fresh = freshState(books, state.game);
  const parts = new URLSearchParams();
  const put = (key, value, usual = "") => {
    if (value !== usual) parts.set(key, value);
  };
  parts.set("game", state.game);
  put("view", state.view, "shoe");
  put("layout", state.layout);
  put("decks", `${wholeDecks(state.full)}`, `${wholeDecks(fresh.full)}`);
  put("shoe", state.shoe.join("."), state.full.join("."));
  put("round", state.round.map((rank) => RANKS[rank]).join("."));
  put("readings", state.changes.readings.join("."));
  put("odds", listOf(state.changes.odds).join(";"));
  put("insurance", listOf(state.changes.insurance).join(";"));
  put("stakes", amountsOf(state.stakes).join(";"));
  put("insured", amountsOf(state.insured).join(";"));
  put("maximum", state.maximum);
  put("differential", state.differential);
  put("sort", `${state.descending ? "-" : ""}${state.sort}`, "order");
  put("bet", state.bet);
  put("heat", `${state.heat}`, "0");
  put("seed", `${state.seed}`, "1");
  return parts.toString();
}

const split = (text, mark) => (text ? text.split(mark) : []);

function positiveAmount(text) {
  const amount = parsedFraction(text);
  if (!amount || amount.sign <= 0) throw new RangeError(text);
  return text;
}

// Other odds, held against the rule book: a line that is not there is refused.
function changedLines(text, pays) {
  const table = {};
  for (const part of split(text, ";")) {
    const [key, index, odds] = part.split(":");
    if (netOf(odds).sign <= 0 || [PUSH, LOSE].includes(pays(key)?.[index]?.odds ?? PUSH)) throw new RangeError(part);
    table[key] = { ...table[key], [index]: odds };
  }
  return table;
}

function amounts(text, isKnown) {
  const table = {};
  for (const part of split(text, ";")) {
    const [key, amount] = part.split(":");
    if (!isKnown(key)) throw new RangeError(part);
    table[key] = positiveAmount(amount);
  }
  return table;
}

function within(value, values) {
  if (!values.includes(value)) throw new RangeError(value);
  return value;
}

function wholeNumber(text, most) {
  if (!/^\d{1,9}$/.test(text) || Number(text) > most) throw new RangeError(text);
  return Number(text);
}

// The state with no more than its game can have: a round as far as it is dealt, insurance that there is.
export function fitting(game, state) {
  const insured = Object.fromEntries(Object.entries(state.insured).filter(([key]) => game.insurance.some((table) => table.key === key)));
  return { ...state, round: dealable(game, state.round), insured };
}

// The state that a link says; what is not understood, a part that is unknown or given twice among it, is left out and
// named in `refused`.
export function stateFrom(books, text) {
  const parts = new URLSearchParams(text);
  const known = new Set();
  const refused = [];
  const taken = (key, read) => {
    known.add(key);
    if (!parts.has(key)) return;
    if (parts.getAll(key).length > 1) return void refused.push(key);
    try {
      read(parts.get(key));
    } catch {
      refused.push(key);
    }
  };
  let state = freshState(books);
  taken("game", (id) => (state = freshState(books, within(id, [...books.entries.keys()]))));
  const { book } = books.entries.get(state.game);
  taken("view", (view) => (state.view = within(view, VIEWS)));
  taken("layout", (layout) => (state.layout = within(layout, book.layouts.map((one) => one.id))));
  taken("decks", (decks) => {
    const number = wholeNumber(decks, 1000);
    if (!number) throw new RangeError(decks);
    state.full = freshShoe(number);
    state.shoe = state.full;
  });
  taken("shoe", (counts) => (state.shoe = parsedShoe(counts.split(".").map((count) => wholeNumber(count, 3_999_996)))));
  const changes = { ...NO_CHANGES };
  taken("readings", (list) => {
    const ids = split(list, ".").map((id) => within(id, (book.interpretations ?? []).filter(isShownHere).map((one) => one.id)));
    if (refusedReadings(book, ids, books.common)) throw new RangeError(list);
    changes.readings = ids;
  });
  const read = changedBook(book, changes, books.common);
  taken("odds", (lines) => (changes.odds = changedLines(lines, (id) => read.bets.find((bet) => bet.id === id)?.pays)));
  const offers = (key) => (read.insurance ?? []).find((one) => `${one.side}@${one.stage}` === key)?.offers;
  taken("insurance", (lines) => (changes.insurance = changedLines(lines, offers)));
  state.changes = changes;
  taken("round", (cards) => {
    const dealt = split(cards, ".").map(parsedRank);
    dealtRound(madeGame(read, books.common), dealt);
    minus(state.shoe, dealt);
    state.round = dealt;
  });
  taken("stakes", (list) => (state.stakes = amounts(list, (id) => book.bets.some((bet) => bet.id === id))));
  taken("insured", (list) => (state.insured = amounts(list, (key) => offers(key))));
  taken("maximum", (amount) => (state.maximum = positiveAmount(amount)));
  taken("differential", (amount) => (state.differential = positiveAmount(amount)));
  taken("sort", (sort) => {
    state.sort = within(sort.replace(/^-/, ""), SORTS);
    state.descending = sort.startsWith("-");
  });
  taken("bet", (id) => (state.bet = within(id, book.bets.map((bet) => bet.id))));
  taken("heat", (number) => (state.heat = wholeNumber(number, Math.max(0, (book.insurance ?? []).length - 1))));
  taken("seed", (number) => (state.seed = wholeNumber(number, 999_999_999)));
  const unknown = [...new Set(parts.keys())].filter((key) => !known.has(key)).map((key) => (key.length > 20 ? `${key.slice(0, 17)}...` : key || '""'));
  return { state, refused: [...refused, ...unknown.slice(0, 5), ...(unknown.length > 5 ? ["..."] : [])] };
}
