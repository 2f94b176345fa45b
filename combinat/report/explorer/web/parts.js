// Parts that several views share: panels, notes, figures as text, exact figures, copying.

import { stayingBets } from "./bets.js";
import { button, h } from "./dom.js";
import { ONE, decimal, percent } from "./fraction.js";
import { copyText } from "./messages.js";
import { column, numbers, tableOf } from "./tables.js";
import { t } from "./texts.js";

export const panel = (title, ...parts) => h("section.panel", h("h2", title), parts);

export const help = (key, values) => h("p.help", t(key, values));

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

// A button that copies a text, with a mark when it is done.
export function copyButton(what, text) {
  const copy = async () => {
    if (!(await copyText(text, t("copied_what", { what })))) return;
    one.classList.add("done");
    setTimeout(() => one.classList.remove("done"), 1200);
  };
  const attributes = { class: "small", "aria-label": t("copy_what", { what }), "data-key": `copy ${what}` };
  const one = button(t("copy"), copy, attributes);
  return one;
}

const exactRow = ([name, value]) =>
  h(
    "div.exact-row",
    h("dt", t(name)),
    h("dd", h("code", `${value ?? "–"}`), copyButton(t(name), `${value ?? "–"}`)),
  );

// The exact figures of an insurance state.
export const exactState = (state, sampleSpace) =>
  h(
    "dl.exact",
    [
      ["house_edge", state.houseEdge],
      ["expected_value", state.expectedValue],
      ["probability_wins", state.wins],
      ["probability_returned", state.pushes],
      ["probability_loses", state.loses],
      ["fair", state.fairOdds],
      ["probability_reached", state.probability],
      ["sequences", sampleSpace],
      ["clause", state.offer.clause || state.table.settled],
    ].map(exactRow),
  );

const OUTCOME_COLUMNS = [
  column("outcome", (one) => one.name, { isName: true }),
  column("odds", (one) => one.odds || "–"),
  numbers("net", (one) => `${one.net}`),
  numbers("ways", (one) => h("code", `${one.ways}`)),
  numbers("probability_percent", (one) => percent(one.probability)),
];

// The exact figures of a bet.
export const exactFigures = (analysis, sampleSpace) =>
  h(
    "div.exact",
    h("p", t("about_bet", analysis.bet)),
    h(
      "dl",
      [
        ["house_edge", analysis.houseEdge],
        ["expected_value", analysis.expectedValue],
        ["probability_wins", analysis.hitFrequency],
        ["variance", analysis.variance],
        ["sequences", sampleSpace],
      ].map(exactRow),
    ),
    tableOf(t("exact_caption", analysis), `exact ${analysis.id}`, OUTCOME_COLUMNS, analysis.outcomes),
  );
