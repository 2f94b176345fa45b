// The shoe: its cards, and every bet and insurance state on it.

import { COPIES, MOST_OF_A_RANK, RANKS, minus, parsedCards, plus, size } from "./cards.js";
import { afterRandom } from "./chance.js";
import { button, choice, each, field, h, svg } from "./dom.js";
import { Fraction, parsedFraction, percent } from "./fraction.js";
import { announce, tell } from "./messages.js";
import {
  action,
  clauseOf,
  exactBets,
  exactStates,
  fairText,
  help,
  oneIn,
  panel,
  paysText,
  stateColumns,
  stayNote,
} from "./parts.js";
import { NO_FILTER } from "./state.js";
import {
  betColumn,
  clauseColumn,
  column,
  nameColumn,
  numbers,
  tableOf,
  term,
  valueColumns,
} from "./tables.js";
import { many, t } from "./texts.js";

const FEW = 999; // a larger count needs the whole width of its tile

const typed = { cards: "", decks: "5" }; // the texts of two boxes, which are no part of a link

const cardsLeft = (counts) => many("card_left", "cards_left", size(counts));

// ---------------------------------------------------------------- the cards

function rankTile(app, rank) {
  const { shoe, full } = app.state;
  const [name, left] = [RANKS[rank], shoe[rank]];
  const set = (count) => app.update({ shoe: shoe.with(rank, count), round: [] });
  const type = (text) => {
    const count = text.trim();
    if (/^\d{1,7}$/.test(count) && Number(count) <= MOST_OF_A_RANK) return set(Number(count));
    tell(t("no_count", { rank: name, count: `"${count.slice(0, 20)}"`, most: MOST_OF_A_RANK }));
    return app.redraw();
  };
  const share = full[rank] ? Math.min(100, Math.round((100 * left) / full[rank])) : 0;
  const take = {
    class: "rank",
    disabled: !left,
    "aria-label": t("take_out", { rank: name, n: left }),
    "data-key": `take ${rank}`,
  };
  const put = { class: "plus", "aria-label": t("put_back", { rank: name }), "data-key": `put ${rank}` };
  const width = left > FEW ? "count long" : "count";
  const box = { hidden: true, inputmode: "numeric", class: width, maxlength: "7" };
  return h(
    "li.tile",
    button(name, () => set(left - 1), take),
    svg(
      "svg.left",
      { "aria-hidden": "true", width: "100%", height: "4" },
      svg("rect.rail", { width: "100%", height: "4" }),
      svg("rect.fill", { width: `${share}%`, height: "4" }),
    ),
    h(
      "span.tile-foot",
      field(t("count_of", { rank: name }), `count ${rank}`, `${left}`, type, box),
      button("+", () => set(left + 1), put),
    ),
  );
}

// A box whose text is kept while it is typed.
function keptBox(label, name, attributes) {
  const keep = (text) => (typed[name] = text);
  const input = field(t(label), `box ${name}`, typed[name], keep, attributes);
  input.addEventListener("input", (event) => keep(event.target.value));
  return input;
}

function cardsBox(app) {
  const change = (act) => {
    try {
      const shoe = act(app.state.shoe, parsedCards(typed.cards));
      typed.cards = "";
      app.update({ shoe, round: [] });
    } catch (error) {
      tell(error.message);
    }
  };
  const box = { placeholder: t("cards_placeholder"), maxlength: "2000" };
  const input = keptBox("cards_box", "cards", box);
  input.addEventListener("keydown", (event) => event.key === "Enter" && change(minus));
  return h(
    "div.row",
    input,
    action("take_these", () => change(minus)),
    action("put_these", () => change(plus)),
  );
}

function randomBox(app) {
  const { shoe } = app.state;
  const deal = () => {
    const decks = parsedFraction(typed.decks);
    if (!decks || decks.sign < 0) return tell(t("write_decks"));
    const cards = Number(
      decks.times(new Fraction(BigInt(COPIES * RANKS.length))).numerator / decks.denominator,
    );
    if (cards > size(shoe)) return tell(t("too_many", { n: size(shoe) }));
    return app.update({ shoe: afterRandom(shoe, cards), round: [] });
  };
  const box = { hidden: true, inputmode: "decimal", class: "count", maxlength: "6" };
  const input = keptBox("random_decks", "decks", box);
  return h("div.row", action("deal_random", deal), input, h("span", t("at_random")));
}

function shoePanel(app) {
  const { shoe, full } = app.state;
  const gone = size(full) - size(shoe);
  return panel(
    [t("shoe_title"), term("shoe")],
    h("p.big", cardsLeft(shoe), gone > 0 && h("small", t("cards_gone", { n: gone, all: size(full) }))),
    help("shoe_help"),
    each("ul.tiles", RANKS, (_, rank) => rankTile(app, rank)),
    h(
      "div.row",
      action("undo", app.undo, { disabled: !app.canUndo() }),
      action("reset", () => app.update({ shoe: full, round: [] })),
    ),
    cardsBox(app),
    randomBox(app),
  );
}

// ---------------------------------------------------------------- the bets

// Fair odds in order; a bet that cannot win comes last.
function byFairOdds(one, other) {
  if (one.fairOdds && other.fairOdds) return one.fairOdds.compare(other.fairOdds);
  return Number(Boolean(other.fairOdds)) - Number(Boolean(one.fairOdds));
}

const ORDERS = {
  bet: (one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)),
  wins: (one, other) => one.hitFrequency.compare(other.hitFrequency),
  one_in: (one, other) => other.hitFrequency.compare(one.hitFrequency),
  edge: (one, other) => one.houseEdge.compare(other.houseEdge),
  fair: byFairOdds,
};

function sortedBets(bets, { sort }) {
  if (sort === "order") return bets;
  const sorted = bets.toSorted(ORDERS[sort.replace("-", "")]);
  return sort.startsWith("-") ? sorted.reverse() : sorted;
}

// A press on a head sorts ascending, then descending, then in the order of the rule book.
function sortBy(app, key) {
  const following = { [key]: `-${key}`, [`-${key}`]: "order" };
  app.update({ sort: following[app.state.sort] ?? key }, { undoable: false });
}

// Which bets favour the player, and how many insurance states do.
export function favoursText({ bets, insurance }) {
  const names = bets.filter((bet) => bet.favoursPlayer).map((bet) => bet.name);
  const several = names.length === 1 ? "one_favours" : "some_favour";
  const ofBets = names.length ? t(several, { n: names.length, names: names.join(", ") }) : t("none_favours");
  const states = insurance.filter((state) => state.favoursPlayer).length;
  if (!states) return ofBets;
  const key = states === 1 ? "state_favours" : "states_favour";
  return `${ofBets} ${t(key, { n: states, all: insurance.length })}`;
}

function shoeFacts({ counts }) {
  const share = new Fraction(counts.void, counts.sampleSpace);
  const shown = counts.void ? [h("code", `${share}`), ` (${percent(share)} %)`] : t("no_void");
  const all = h("code", `${counts.sampleSpace}`);
  return h(
    "p.help",
    h("span.fact", t("sequences"), ": ", all, term("ways")),
    h("span.fact", t("void_rounds"), ": ", shown, term("void")),
  );
}

function betsPanel(app) {
  const { bets, counts } = app.model;
  const columns = [
    betColumn({ sort: "bet" }),
    column("pays", (bet) => paysText(bet.bet), { term: "odds" }),
    numbers("wins", (bet) => percent(bet.hitFrequency), { class: "wide", term: "wins", sort: "wins" }),
    numbers("one_in", (bet) => oneIn(bet.hitFrequency), { class: "wide", sort: "one_in" }),
    ...valueColumns("edge"),
    numbers("fair", (bet) => fairText(bet.fairOdds), { class: "wide", term: "fair_odds", sort: "fair" }),
    clauseColumn((bet) => bet.bet.settled),
  ];
  return panel(
    t("bets_title"),
    h("p#favours.help", favoursText(app.model)),
    stayNote(app, "stay_valued"),
    tableOf(t("bets_caption"), "bets", columns, sortedBets(bets, app.state), {
      class: "bets",
      row: (bet) => ({ "data-bet": bet.id }),
      exact: exactBets(app, counts),
      sorting: { sort: app.state.sort, by: (key) => sortBy(app, key) },
    }),
    shoeFacts(app.model),
  );
}

// ---------------------------------------------------------------- insurance

const nameOf = (state) => `${t(state.side)}, ${t(state.stage)}, ${t("totals_of", state)}`;

const isWanted =
  ({ favours, ...exactly }) =>
  (state) =>
    (!favours || state.favoursPlayer) &&
    Object.entries(exactly).every(([key, value]) => !value || `${state[key]}` === value);

function statesFilter(app, shown) {
  const { game, insurance } = app.model;
  const { filter } = app.state;
  const set = (key) => (value) => app.update({ filter: { ...filter, [key]: value } }, { undoable: false });
  const pick = (key, label, nameOfValue = (value) => value) => {
    const values = [...new Set(insurance.map((state) => `${state[key]}`))].sort();
    const options = [["", t("any")], ...values.map((value) => [value, nameOfValue(value)])];
    return choice(label, `filter ${key}`, filter[key], options, set(key));
  };
  const tick = { change: (event) => set("favours")(event.target.checked ? "1" : "") };
  const checked = Boolean(filter.favours);
  const box = h("input", { type: "checkbox", checked, "data-key": "filter favours", on: tick });
  return h(
    "div.row.filter",
    pick("side", t("hand"), t),
    pick("stage", t("when"), t),
    pick("player", t("player_points")),
    pick("banker", t("banker_points")),
    h("label.tick", box, h("span", t("only_favours"))),
    h("span", { role: "status" }, t("states_shown", { n: shown.length, all: game.states.length })),
    shown.length < insurance.length &&
      action("show_all", () => app.update({ filter: NO_FILTER }, { undoable: false })),
  );
}

function insurancePanel(app) {
  const { game, insurance, counts } = app.model;
  if (!game.terms) return help("no_insurance");
  const columns = [
    nameColumn("hand", (state) => t(state.side), clauseOf, { term: "insurance" }),
    column("when", (state) => t(state.stage), { term: "state" }),
    numbers("player_short", (state) => `${state.player}`),
    numbers("banker_short", (state) => `${state.banker}`),
    ...stateColumns,
  ];
  const favourable = insurance.filter((state) => state.favoursPlayer).length;
  const summary = t("insurance_summary", { name: game.terms.name, n: insurance.length, favourable });
  const shown = insurance.filter(isWanted(app.state.filter));
  return h(
    "details.panel",
    { "data-key": "insurance" },
    h("summary", h("h2", t("insurance_title")), h("span", summary)),
    statesFilter(app, shown),
    tableOf(t("insurance_caption"), "states", columns, shown, {
      class: "dense states",
      exact: exactStates(app, nameOf, nameOf, () => counts.sampleSpace),
    }),
  );
}

export function shoeView(app) {
  return h("div.columns", h("div", shoePanel(app)), h("div", betsPanel(app), insurancePanel(app)));
}

export function announceShoe(app) {
  announce(t("announce_shoe", { cards: cardsLeft(app.state.shoe), favours: favoursText(app.model) }));
}
