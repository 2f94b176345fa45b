// Parts that several views share: panels, notes, figures as text, exact figures, copying.

import { stayingBets } from "./bets.js";
import { button, each, h } from "./dom.js";
import { ONE, decimal, percent } from "./fraction.js";
import { copyText } from "./messages.js";
import { column, numbers, tableOf, valueColumns } from "./tables.js";
import { t } from "./texts.js";

export const panel = (title, ...parts) => h("section.panel", h("h2", title), parts);

export const help = (key, values) => h("p.help", t(key, values));

// A button whose label is the text of its key.
export const action = (key, act, attributes = {}) => button(t(key), act, { "data-key": key, ...attributes });

// ---------------------------------------------------------------- figures

export const oneIn = (probability) => (probability.sign ? decimal(ONE.over(probability), 2) : "–");

export const fairText = (fair) => (fair === null ? t("never") : decimal(fair, 3));

// The odds of a bet in short: "4, 20, 100 to 1".
export function paysText(bet) {
  const odds = bet.lines.filter((line) => line.net.sign > 0).map((line) => line.odds);
  if (!odds.every((one) => one.endsWith(" to 1"))) return odds.join(", ");
  return `${odds.map((one) => one.replace(/ to 1$/, "")).join(", ")} to 1`;
}

// Which bets of the view may stay on the layout, and how their figures (`words`) are meant; nothing if none
// may.
export function stayNote(app, words) {
  const { game, bets } = app.model;
  const names = stayingBets(game)
    .filter((bet) => bets.some((one) => one.id === bet.id))
    .map((bet) => bet.name);
  const either = game.voidBets === "stay" ? "after_either" : "after_tie";
  const after = t(game.practice.tied_bets === "stay" ? either : "after_void");
  return names.length ? h("p.help.stays", t(words, { names: names.join(", "), after })) : null;
}

// ---------------------------------------------------------------- exact figures

export const copyButton = (what, text) =>
  action("copy", () => copyText(text, t("copied_what", { what })), {
    class: "small",
    "aria-label": t("copy_what", { what }),
    "data-key": `copy ${what}`,
  });

const exactRow = ([name, value]) =>
  h(
    "div.exact-row",
    h("dt", t(name)),
    h("dd", h("code", `${value ?? "–"}`), copyButton(t(name), `${value ?? "–"}`)),
  );

export const clauseOf = (state) => state.offer.clause || state.table.settled;

const share = (key) => (state) => state[key] && percent(state[key]);

// The columns of an insurance state that follow its name.
export const stateColumns = [
  column("pays", (state) => state.offer.odds, { class: "o" }),
  ...valueColumns(),
  numbers("wins", share("wins"), { class: "wide" }),
  numbers("returned", share("pushes"), { class: "wide", term: "returned" }),
  numbers("fair", (state) => state.wins && fairText(state.fairOdds), { class: "wide", term: "fair_odds" }),
  numbers("reached", share("probability"), { class: "wide" }),
  column("clause", clauseOf, { class: "wide" }),
];

const exactState = (state, sampleSpace) => {
  const rows = [
    ["house_edge", state.houseEdge],
    ["expected_value", state.expectedValue],
    ["probability_wins", state.wins],
    ["probability_returned", state.pushes],
    ["probability_loses", state.loses],
    ["fair", state.fairOdds],
    ["probability_reached", state.probability],
    ["sequences", sampleSpace],
    ["clause", clauseOf(state)],
  ];
  return each("dl.exact", rows, exactRow);
};

// The exact figures of the insurance states of a table.
export const exactStates = (app, key, name, sampleSpace) => {
  const show = (state) => exactState(state, sampleSpace(state));
  return { app, key, name, show };
};

const OUTCOME_COLUMNS = [
  column("outcome", (one) => one.name, { isName: true }),
  column("odds", (one) => one.odds || "–"),
  numbers("net", (one) => `${one.net}`),
  numbers("ways", (one) => h("code", `${one.ways}`)),
  numbers("probability_percent", (one) => percent(one.probability)),
];

function exactBet(analysis, sampleSpace) {
  const rows = [
    ["house_edge", analysis.houseEdge],
    ["expected_value", analysis.expectedValue],
    ["probability_wins", analysis.hitFrequency],
    ["variance", analysis.variance],
    ["sequences", sampleSpace],
  ];
  const caption = t("exact_caption", analysis);
  const outcomes = tableOf(caption, `exact ${analysis.id}`, OUTCOME_COLUMNS, analysis.outcomes);
  return h("div.exact", h("p", t("about_bet", analysis.bet)), each("dl", rows, exactRow), outcomes);
}

// The exact figures of the bets of a table.
export const exactBets = (app, { sampleSpace }) => ({
  app,
  key: (bet) => bet.id,
  name: (bet) => bet.name,
  show: (bet) => exactBet(bet, sampleSpace),
});
