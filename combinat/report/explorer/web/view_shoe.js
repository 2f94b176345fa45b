// The shoe: its cards, and every bet and insurance state on it.

import { COPIES, MOST_OF_A_RANK, RANKS, minus, parsedCards, plus, size } from "./cards.js";
import { afterRandom } from "./chance.js";
import { button, drawn, field, h, tableIn } from "./dom.js";
import { Fraction, parsedFraction, percent, signedPercent } from "./fraction.js";
import { announce, tell } from "./messages.js";
import { clauseBelow, column, exactButton, exactFigures, exactHead, exactState, fairText, favourMark, moreRow, oneIn, paysText, term } from "./parts.js";
import { stayNote } from "./staying.js";
import { many, t } from "./texts.js";

const FEW = 999; // a count up to this one fits beside its button

const typed = { cards: "", decks: "5" }; // what stands in the two boxes, which are no part of a link
const shown = new Set(); // the bets and states whose exact figures are open

export const cardsLeft = (counts) => many("card_left", "cards_left", size(counts));

// ---------------------------------------------------------------- the cards

function rankTile(app, rank) {
  const { shoe, full } = app.state;
  const left = shoe[rank];
  const change = (by) => app.update({ shoe: shoe.map((count, one) => (one === rank ? count + by : count)), round: [] });
  const type = (text) => {
    if (!/^\d{1,7}$/.test(text.trim()) || Number(text) > MOST_OF_A_RANK) {
      tell(t("no_count", { rank: RANKS[rank], count: `"${text.trim().slice(0, 20)}"`, most: MOST_OF_A_RANK }));
      return app.redraw();
    }
    tell("");
    return app.update({ shoe: shoe.map((count, one) => (one === rank ? Number(text) : count)), round: [] });
  };
  const share = full[rank] ? Math.min(100, Math.round((100 * left) / full[rank])) : 0;
  return h(
    "li",
    { class: "tile" },
    button(RANKS[rank], () => change(-1), { class: "rank", disabled: !left, "aria-label": t("take_out", { rank: RANKS[rank], n: left }), "data-key": `take ${rank}` }),
    drawn("svg", { class: "left", "aria-hidden": "true", width: "100%", height: "4" }, drawn("rect", { class: "rail", width: "100%", height: "4" }), drawn("rect", { class: "fill", width: `${share}%`, height: "4" })),
    h(
      "span",
      { class: "tile-foot" },
      field(t("count_of", { rank: RANKS[rank] }), `count ${rank}`, `${left}`, type, { hidden: true, inputmode: "numeric", class: left > FEW ? "count long" : "count", maxlength: "7" }),
      button("+", () => change(1), { class: "plus", "aria-label": t("put_back", { rank: RANKS[rank] }), "data-key": `put ${rank}` }),
    ),
  );
}

function cardsBox(app) {
  const take = (change) => {
    try {
      const cards = parsedCards(typed.cards);
      tell("");
      typed.cards = "";
      app.update({ shoe: change(app.state.shoe, cards), round: [] });
    } catch (error) {
      tell(error.message);
    }
  };
  const input = field(t("cards_box"), "cards gone", typed.cards, (text) => (typed.cards = text), { placeholder: t("cards_placeholder"), maxlength: "2000" });
  input.querySelector("input").addEventListener("input", (event) => (typed.cards = event.target.value));
  input.querySelector("input").addEventListener("keydown", (event) => event.key === "Enter" && take(minus));
  return h("div", { class: "row" }, input, button(t("take_these"), () => take(minus), { "data-key": "take these" }), button(t("put_these"), () => take(plus), { "data-key": "put these" }));
}

function randomBox(app) {
  const deal = () => {
    const decks = parsedFraction(typed.decks);
    if (!decks || decks.sign < 0) return tell(t("write_decks"));
    const cards = Number(decks.times(new Fraction(BigInt(COPIES * RANKS.length))).numerator / decks.denominator);
    if (cards > size(app.state.shoe)) return tell(t("too_many", { n: size(app.state.shoe) }));
    tell("");
    return app.update({ shoe: afterRandom(app.state.shoe, cards), round: [] });
  };
  const input = field(t("random_decks"), "random decks", typed.decks, (text) => (typed.decks = text), { hidden: true, inputmode: "decimal", class: "count", maxlength: "6" });
  input.addEventListener("input", (event) => (typed.decks = event.target.value));
  return h("div", { class: "row" }, button(t("deal_random"), deal, { "data-key": "deal random" }), input, h("span", null, t("at_random")));
}

function shoePanel(app) {
  const { shoe, full } = app.state;
  const gone = size(full) - size(shoe);
  return h(
    "section",
    { class: "panel", "aria-labelledby": "shoe-title" },
    h("h2", { id: "shoe-title" }, t("shoe_title"), term("shoe")),
    h("p", { class: "big" }, cardsLeft(shoe), gone > 0 && h("small", null, t("cards_gone", { n: gone, all: size(full) }))),
    h("p", { class: "help" }, t("shoe_help")),
    h("ul", { class: "tiles" }, RANKS.map((_, rank) => rankTile(app, rank))),
    h("div", { class: "row" }, button(t("undo"), app.undo, { disabled: !app.canUndo(), "data-key": "undo" }), button(t("reset"), () => app.update({ shoe: full, round: [] }), { "data-key": "reset" })),
    cardsBox(app),
    randomBox(app),
  );
}

// ---------------------------------------------------------------- the bets

const SORTED_BY = {
  bet: (one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0),
  wins: (one, other) => one.hitFrequency.compare(other.hitFrequency),
  one_in: (one, other) => other.hitFrequency.compare(one.hitFrequency),
  edge: (one, other) => one.houseEdge.compare(other.houseEdge),
  fair: (one, other) => (one.fairOdds && other.fairOdds ? one.fairOdds.compare(other.fairOdds) : one.fairOdds ? -1 : other.fairOdds ? 1 : 0),
};

function sortedBets(bets, { sort, descending }) {
  if (sort === "order") return bets;
  const sorted = [...bets].sort(SORTED_BY[sort]);
  return descending ? sorted.reverse() : sorted;
}

// A head that sorts: in order, then the other way round, then as the rule book has it.
function sorting(app, key, text, word, attributes = {}) {
  const { sort, descending } = app.state;
  const isSorted = sort === key;
  const next = !isSorted ? { sort: key, descending: false } : !descending ? { descending: true } : { sort: "order", descending: false };
  return h(
    "th",
    { scope: "col", "aria-sort": isSorted ? (descending ? "descending" : "ascending") : "none", ...attributes },
    h("span", { class: "head" }, button([text, h("span", { "aria-hidden": "true", class: "arrow" }, isSorted ? (descending ? " ▼" : " ▲") : "")], () => app.update(next, { undoable: false }), { class: "sort", "data-key": `sort ${key}` }), word && term(word)),
  );
}

function betRows(app, bet) {
  const row = h(
    "tr",
    { class: bet.favoursPlayer ? "favours" : null, "data-bet": bet.id },
    h("th", { scope: "row" }, bet.name, bet.favoursPlayer && favourMark(), clauseBelow(bet.bet.settled)),
    h("td", null, paysText(bet.bet)),
    h("td", { class: "n wide" }, percent(bet.hitFrequency)),
    h("td", { class: "n wide" }, oneIn(bet.hitFrequency)),
    h("td", { class: "n strong" }, percent(bet.houseEdge)),
    h("td", { class: "n wide" }, fairText(bet.fairOdds)),
    h("td", { class: "wide" }, bet.bet.settled),
    h("td", { class: "n" }, exactButton(app, shown, bet.id, bet.name)),
  );
  return shown.has(bet.id) ? [row, moreRow(8, exactFigures(bet, app.model.counts.sampleSpace))] : [row];
}

// Which bets favour the player, and how many insurance states do.
export function favoursText({ bets, insurance }) {
  const names = bets.filter((bet) => bet.favoursPlayer).map((bet) => bet.name);
  const ofBets = names.length ? t(names.length === 1 ? "one_favours" : "some_favour", { n: names.length, names: names.join(", ") }) : t("none_favours");
  const states = insurance.filter((state) => state.favoursPlayer).length;
  return states ? `${ofBets} ${t(states === 1 ? "state_favours" : "states_favour", { n: states, all: insurance.length })}` : ofBets;
}

function betsPanel(app) {
  const { bets, counts } = app.model;
  const head = h(
    "tr",
    null,
    sorting(app, "bet", t("bet")),
    column(t("pays"), "odds"),
    sorting(app, "wins", t("wins"), "wins", { class: "n wide" }),
    sorting(app, "one_in", t("one_in"), null, { class: "n wide" }),
    sorting(app, "edge", t("edge"), "house_edge", { class: "n" }),
    sorting(app, "fair", t("fair"), "fair_odds", { class: "n wide" }),
    column(t("clause"), null, { class: "wide" }),
    exactHead(),
  );
  const voidShare = new Fraction(counts.void, counts.sampleSpace);
  return h(
    "section",
    { class: "panel", "aria-labelledby": "bets-title" },
    h("h2", { id: "bets-title" }, t("bets_title")),
    h("p", { class: "help", id: "favours" }, favoursText(app.model)),
    stayNote(app, "stay_valued"),
    tableIn(t("bets_caption"), "bets", head, sortedBets(bets, app.state).flatMap((bet) => betRows(app, bet)), { class: "bets" }),
    h("p", { class: "help" }, t("sequences"), ": ", h("code", null, `${counts.sampleSpace}`), term("ways"), " · ", t("void_rounds"), ": ", counts.void ? h("code", null, `${voidShare}`) : t("no_void"), counts.void ? ` (${percent(voidShare)} %)` : "", term("void")),
  );
}

// ---------------------------------------------------------------- insurance

function stateRows(app, state) {
  const figure = (value, show = percent, kind = "n") => h("td", { class: kind }, value === null ? "–" : show(value));
  const key = `${state.table.key} ${state.player} ${state.banker}`;
  const what = `${t(state.side)}, ${t(state.stage)}, ${t("totals_of", { player: state.player, banker: state.banker })}`;
  const row = h(
    "tr",
    { class: state.favoursPlayer ? "favours" : null },
    h("th", { scope: "row" }, t(state.side), state.favoursPlayer && favourMark(), clauseBelow(state.table.settled)),
    h("td", null, t(state.stage)),
    h("td", { class: "n" }, `${state.player}`),
    h("td", { class: "n" }, `${state.banker}`),
    h("td", { class: "o" }, state.offer.odds),
    figure(state.expectedValue, signedPercent, "n strong"),
    figure(state.wins, percent, "n wide"),
    figure(state.pushes, percent, "n wide"),
    figure(state.fairOdds, fairText, "n wide"),
    figure(state.probability, percent, "n wide"),
    h("td", { class: "wide" }, state.table.settled),
    h("td", { class: "n" }, exactButton(app, shown, key, what)),
  );
  return shown.has(key) ? [row, moreRow(12, exactState(state, app.model.counts.sampleSpace))] : [row];
}

function insurancePanel(app) {
  const { game, insurance } = app.model;
  if (!game.terms) return h("p", { class: "help" }, t("no_insurance"));
  const head = h(
    "tr",
    null,
    column(t("hand"), "insurance"),
    column(t("when"), "state"),
    column(t("player_short"), null, { class: "n" }),
    column(t("banker_short"), null, { class: "n" }),
    column(t("pays")),
    column(t("ev"), "expected_value", { class: "n" }),
    column(t("wins"), null, { class: "n wide" }),
    column(t("returned"), "returned", { class: "n wide" }),
    column(t("fair"), null, { class: "n wide" }),
    column(t("reached"), null, { class: "n wide" }),
    column(t("clause"), null, { class: "wide" }),
    exactHead(),
  );
  const favourable = insurance.filter((state) => state.favoursPlayer).length;
  return h(
    "details",
    { class: "panel", "data-key": "insurance" },
    h("summary", null, h("h2", null, t("insurance_title")), h("span", null, t("insurance_summary", { name: game.terms.name, n: insurance.length, favourable }))),
    tableIn(t("insurance_caption"), "states", head, insurance.flatMap((state) => stateRows(app, state)), { class: "dense" }),
  );
}

export function shoeView(app) {
  return h("div", { class: "columns" }, h("div", null, shoePanel(app)), h("div", null, betsPanel(app), insurancePanel(app)));
}

export function saidOfShoe(app) {
  announce(t("said_shoe", { cards: cardsLeft(app.state.shoe), favours: favoursText(app.model) }));
}

