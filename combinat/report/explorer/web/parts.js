// Parts that several views share: terms with their meaning, exact figures, copying.

import { button, h, tableIn } from "./dom.js";
import { ONE, decimal, percent } from "./fraction.js";
import { copyText } from "./messages.js";
import { t, termMeaning, termName } from "./texts.js";

// ---------------------------------------------------------------- copying

// A button that copies, and says for a moment that it did.
export function copyButton(what, text, label = t("copy")) {
  const one = button(label, async () => {
    if (await copyText(text)) {
      one.classList.add("done");
      setTimeout(() => one.classList.remove("done"), 1200);
    }
  }, { class: "small", "aria-label": t("copy_what", { what }), "data-key": `copy ${what}` });
  return one;
}

// ---------------------------------------------------------------- terms

const meaning = h("div", { popover: "auto", id: "meaning", role: "dialog", "aria-labelledby": "meaning-term" });

export const meaningPlace = () => meaning;

// A small button beside a word: what the word means.
export function term(key) {
  const show = () => {
    const close = button(t("close"), () => meaning.hidePopover(), { class: "small" });
    meaning.replaceChildren(h("p", null, h("strong", { id: "meaning-term" }, termName(key))), h("p", null, termMeaning(key)), close);
    meaning.showPopover();
    close.focus();
  };
  return button("?", show, { class: "term", "aria-label": t("explain", { term: termName(key) }), "aria-haspopup": "dialog" });
}

export const headed = (text, key) => h("span", { class: "head" }, text, key && term(key));

// The head of the buttons that open exact figures: they say themselves what they are.
export const exactHead = () => h("th", { scope: "col" }, h("span", { class: "unseen" }, t("exact")));

export const column = (text, key, attributes = {}) => h("th", { scope: "col", ...attributes }, headed(text, key));

// ---------------------------------------------------------------- figures

export const oneIn = (probability) => (probability.sign ? decimal(ONE.over(probability), 2) : "–");

export const fairText = (fair) => (fair === null ? t("never") : decimal(fair, 3));

export const favourMark = (words = "favours_player") => h("span", { class: "mark" }, "▲ ", h("span", null, t(words)));

// A clause under the name of its row, where the table is too narrow for a column of clauses.
export const clauseBelow = (clause) => h("span", { class: "narrow" }, clause);

// The pay table of a bet in few words: "4, 20, 100 to 1".
export function paysText(bet) {
  const odds = bet.lines.filter((line) => line.net.sign > 0).map((line) => line.odds);
  return odds.every((one) => one.endsWith(" to 1")) ? `${odds.map((one) => one.replace(/ to 1$/, "")).join(", ")} to 1` : odds.join(", ");
}

const exactRow = (name, value) =>
  h("div", { class: "exact-row" }, h("dt", null, name), h("dd", null, h("code", null, `${value}`), copyButton(name, `${value}`)));

// Everything exact about an insurance state.
export function exactState(state, sampleSpace) {
  const figures = [
    [t("expected_value"), state.expectedValue],
    [t("wins").replace(" %", ""), state.wins],
    [t("returned").replace(" %", ""), state.pushes],
    [t("loses").replace(" %", ""), state.loses],
    [t("fair"), state.fairOdds],
    [t("reached").replace(" %", ""), state.probability],
    [t("sequences"), sampleSpace],
    [t("clause"), state.offer.clause || state.table.settled],
  ];
  return h("div", { class: "exact" }, h("dl", null, figures.map(([name, value]) => exactRow(name, value ?? "–"))));
}

// A button that opens the exact figures under a row; `open` holds the keys of those that are.
export function exactButton(app, open, key, what) {
  const toggle = () => {
    if (!open.delete(key)) open.add(key);
    app.redraw();
  };
  return button(t("exact"), toggle, { class: "small", "aria-expanded": String(open.has(key)), "aria-label": t("show_exact", { bet: what }), "data-key": `exact ${key}` });
}

export const moreRow = (columns, figures) => h("tr", { class: "more" }, h("td", { colspan: `${columns}` }, figures));

// Everything exact about a bet on a shoe.
export function exactFigures(analysis, sampleSpace) {
  const rows = analysis.outcomes.map((one) =>
    h("tr", null, h("th", { scope: "row" }, one.name), h("td", null, one.odds || "–"), h("td", { class: "n" }, `${one.net}`), h("td", { class: "n" }, h("code", null, `${one.ways}`)), h("td", { class: "n" }, percent(one.probability))),
  );
  const head = h("tr", null, column(t("outcome")), column(t("odds")), column(t("net"), null, { class: "n" }), column(t("ways"), null, { class: "n" }), column("%", null, { class: "n" }));
  return h(
    "div",
    { class: "exact" },
    h("p", null, t("about_bet", { about: analysis.bet.about, defined: analysis.bet.defined, settled: analysis.bet.settled })),
    h("dl", null, exactRow(t("house_edge"), analysis.houseEdge), exactRow(t("expected_value"), analysis.expectedValue), exactRow(t("probability"), analysis.hitFrequency), exactRow(t("variance"), analysis.variance), exactRow(t("sequences"), sampleSpace)),
    tableIn(`${t("exact_title")}: ${analysis.name}`, `exact ${analysis.id}`, head, rows),
  );
}
