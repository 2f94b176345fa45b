// The state of the page, and its link: game, shoe, round, odds and view, all in the address after the #.

import { RANKS, freshShoe, minus, parsedRank, parsedShoe, shortened, wholeDecks } from "./cards.js";
import { parsedFraction } from "./fraction.js";
import { HANDS } from "./table_of_play.js";
import { STAGES } from "./game.js";
import { LOSE, PUSH, netOf } from "./odds.js";
import { dealtRound } from "./round.js";

export const VIEWS = ["shoe", "round", "pays", "charts", "glossary"];
const SORTS = ["bet", "wins", "one_in", "edge", "fair"].flatMap((column) => [column, `-${column}`]);
export const NO_FILTER = { side: "", stage: "", player: "", banker: "", favours: "" };
const DIGITS = [..."0123456789"];
const MOST_SHUFFLED = 5200; // cards of a shoe that the page deals to its end

export const canBeDealt = (cards) => cards <= MOST_SHUFFLED;

export function freshState(books, gameId = [...books.entries.keys()][0]) {
  const full = freshShoe(books.entries.get(gameId).reference_decks);
  return {
    game: gameId,
    layout: "",
    view: "shoe",
    shoe: full,
    full,
    round: [],
    changes: {},
    stakes: {},
    insured: {},
    maximum: "",
    differential: "",
    sort: "order", // a column; after a minus in descending order
    filter: NO_FILTER,
    bet: "",
    heat: 0,
    seed: 1,
  };
}

const amountTexts = (table) => Object.entries(table).map((pair) => pair.join(":"));

export function fragment(books, state) {
  const parts = new URLSearchParams({ game: state.game });
  const put = (key, value, usual = "") => {
    if (value !== usual) parts.set(key, value);
  };
  put("view", state.view, "shoe");
  put("layout", state.layout);
  put("decks", `${wholeDecks(state.full)}`, `${books.entries.get(state.game).reference_decks}`);
  put("shoe", state.shoe.join("."), state.full.join("."));
  put("round", state.round.map((rank) => RANKS[rank]).join("."));
  const changes = amountTexts(state.changes);
  put("odds", changes.filter((text) => !text.includes("@")).join(";"));
  put("insurance", changes.filter((text) => text.includes("@")).join(";"));
  put("stakes", amountTexts(state.stakes).join(";"));
  put("insured", amountTexts(state.insured).join(";"));
  put("maximum", state.maximum);
  put("differential", state.differential);
  put("sort", state.sort, "order");
  put("filter", Object.values(state.filter).join("."), "....");
  put("bet", state.bet);
  put("heat", `${state.heat}`, "0");
  put("seed", `${state.seed}`, "1");
  return parts.toString();
}

// ---------------------------------------------------------------- the state of a link

const idsOf = (list) => list.map((one) => one.id);

const split = (text, mark) => (text ? text.split(mark) : []);

function within(value, values) {
  if (!values.includes(value)) throw new RangeError(value);
  return value;
}

function wholeNumber(text, most, least = 0) {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < least || number > most) throw new RangeError(text);
  return number;
}

function positiveAmount(text) {
  if (!(parsedFraction(text)?.sign > 0)) throw new RangeError(text);
  return text;
}

// Other odds by key and line; a line that the rule book does not have, or that pays nothing, is refused.
function parsedOdds(text, found) {
  const changes = {};
  for (const part of split(text, ";")) {
    const [key, index, odds] = part.split(":");
    const approved = found(key)?.lines[index]?.odds ?? PUSH;
    if (netOf(odds).sign <= 0 || [PUSH, LOSE].includes(approved)) throw new RangeError(part);
    changes[`${key}:${index}`] = odds;
  }
  return changes;
}

function parsedAmounts(text, isKnown) {
  const pairs = split(text, ";").map((part) => part.split(":"));
  if (!pairs.every(([key]) => isKnown(key))) throw new RangeError(text);
  return Object.fromEntries(pairs.map(([key, amount]) => [key, positiveAmount(amount)]));
}

function parsedFilter(text) {
  const values = text.split(".");
  const allowed = [HANDS, STAGES, DIGITS, DIGITS, ["1"]];
  if (values.length !== allowed.length) throw new RangeError(text);
  const parts = values.map((value, at) => within(value, ["", ...allowed[at]]));
  return Object.fromEntries(Object.keys(NO_FILTER).map((key, at) => [key, parts[at]]));
}

// The state of a link. `refused` names the parts that are invalid, unknown or given twice; the state leaves
// them out.
export function stateFrom(books, text) {
  const parts = new URLSearchParams(text);
  const known = new Set();
  const refused = [];
  const read = (key, take) => {
    known.add(key);
    if (!parts.has(key)) return;
    try {
      if (parts.getAll(key).length > 1) throw new RangeError(key);
      take(parts.get(key));
    } catch {
      refused.push(key);
    }
  };
  let state = freshState(books);
  read("game", (id) => (state = freshState(books, within(id, [...books.entries.keys()]))));
  const { book, game } = books.entries.get(state.game);
  const take = {
    view: (view) => ({ view: within(view, VIEWS) }),
    layout: (layout) => ({ layout: within(layout, idsOf(book.layouts)) }),
    decks: (decks) => {
      const full = freshShoe(wholeNumber(decks, 1000, 1));
      return { full, shoe: full };
    },
    shoe: (counts) => ({ shoe: parsedShoe(counts.split(".").map((count) => wholeNumber(count, 3_999_996))) }),
    odds: (lines) => ({ changes: parsedOdds(lines, game.bet) }),
    insurance: (lines) => ({ changes: { ...state.changes, ...parsedOdds(lines, game.insuranceTable) } }),
    round: (cards) => {
      const round = split(cards, ".").map(parsedRank);
      dealtRound(game, round);
      minus(state.shoe, round);
      return { round };
    },
    stakes: (list) => ({ stakes: parsedAmounts(list, game.bet) }),
    insured: (list) => ({ insured: parsedAmounts(list, game.insuranceTable) }),
    maximum: (maximum) => ({ maximum: positiveAmount(maximum) }),
    differential: (differential) => ({ differential: positiveAmount(differential) }),
    sort: (sort) => ({ sort: within(sort, SORTS) }),
    filter: (filter) => ({ filter: parsedFilter(filter) }),
    bet: (bet) => ({ bet: within(bet, idsOf(book.bets)) }),
    heat: (number) => ({ heat: wholeNumber(number, Math.max(0, (book.insurance ?? []).length - 1)) }),
    seed: (number) => ({ seed: wholeNumber(number, 999_999_999) }),
  };
  for (const [key, parse] of Object.entries(take)) read(key, (value) => Object.assign(state, parse(value)));
  const unknown = [...new Set(parts.keys())]
    .filter((key) => !known.has(key))
    .map((key) => shortened(key) || '""');
  return { state, refused: [...refused, ...unknown.slice(0, 5), ...(unknown.length > 5 ? ["..."] : [])] };
}
