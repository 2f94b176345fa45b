// Parts that several views share: panels, tables from columns, terms with their meaning, exact figures, copying.

import { stayingBets } from "./bets.js";
import { button, h, tableIn } from "./dom.js";
import { ONE, decimal, percent, signedPercent } from "./fraction.js";
import { copyText } from "./messages.js";
import { t, termMeaning, termName } from "./texts.js";

// ---------------------------------------------------------------- terms

const meaning = h("div#meaning", { popover: "auto", role: "dialog", "aria-labelledby": "meaning-term" });

export const meaningPlace = () => meaning;

// A small button beside a word that shows its meaning.
export function term(key) {
  const show = () => {
    const close = button(t("close"), () => meaning.hidePopover(), { class: "small" });
    meaning.replaceChildren(h("p", h("strong#meaning-term", termName(key))), h("p", termMeaning(key)), close);
    meaning.showPopover();
    close.focus();
  };
  const attributes = {
    class: "term",
    "aria-label": t("explain", { term: termName(key) }),
    "aria-haspopup": "dialog",
  };
  return button(h("span", "?"), show, attributes);
}

export const panel = (title, ...parts) => h("section.panel", h("h2", title), parts);

export const help = (key, values) => h("p.help", t(key, values));

// ---------------------------------------------------------------- tables

// A column of a table: the key of its head, the cell of a record, and options: `class`; `term`: explains the head;
// `sort`: its name in the state; `isName`: its cells name their rows; `isUnseen`: its head is for screen readers.
export const column = (head, cell, options = {}) => ({ head, cell, ...options });

export const numbers = (head, cell, options = {}) =>
  column(head, cell, { ...options, class: `n ${options.class ?? ""}` });

// The name of a row, with a mark where it favours the player, and its clause where the screen is narrow.
export const nameColumn = (head, name, clause, options = {}) =>
  column(head, (one) => [name(one), one.favoursPlayer && favourMark(), h("span.narrow", clause(one))], {
    isName: true,
    ...options,
  });

export const clauseColumn = (clause) => column("clause", clause, { class: "wide" });

// House edge and expected value side by side, or one below the other where the screen is narrow.
export const valueColumns = (sort) => [
  numbers(
    "edge",
    (one) =>
      one.houseEdge && [
        percent(one.houseEdge),
        h("span.narrow", `${t("ev_short")} ${signedPercent(one.expectedValue)}`),
      ],
    { class: "strong", term: "house_edge", sort },
  ),
  numbers("ev", (one) => one.expectedValue && signedPercent(one.expectedValue), {
    class: "wide",
    term: "expected_value",
  }),
];

function headCell({ head, class: kind, term: word, sort, isUnseen }, sorting) {
  const isSorted = sort && sorting?.sort === sort;
  const order = sorting?.descending ? "descending" : "ascending";
  const arrow = isSorted && h("span.arrow", { "aria-hidden": "true" }, sorting.descending ? " ▼" : " ▲");
  const press = { class: "sort", "data-key": `sort ${sort}` };
  const text = sort ? button([t(head), arrow], () => sorting.by(sort), press) : t(head);
  const attributes = { scope: "col", class: kind, "aria-sort": sort && (isSorted ? order : "none") };
  return h("th", attributes, h(isUnseen ? "span.unseen" : "span.head", text, word && term(word)));
}

// A table with a row for each record. `row`: the attributes of a row; `more`: what is shown below it, if anything;
// `last`: a row below all; `sorting`: the column that sorts, and what a press on a head does.
export function tableOf(caption, key, columns, records, { row, more, last, sorting, ...attributes } = {}) {
  const cell = (one, { cell: content, class: kind, isName }) =>
    h(isName ? "th" : "td", { scope: isName && "row", class: kind }, content(one) ?? "–");
  const rows = records.flatMap((one) => {
    const below = more?.(one);
    return [
      h(
        "tr",
        { class: one.favoursPlayer && "favours", ...row?.(one) },
        columns.map((of) => cell(one, of)),
      ),
      below && h("tr.more", h("td", { colspan: `${columns.length}` }, below)),
    ];
  });
  const head = h(
    "tr",
    columns.map((one) => headCell(one, sorting)),
  );
  return tableIn(caption, key, head, [rows, last], attributes);
}

// ---------------------------------------------------------------- figures

export const oneIn = (probability) => (probability.sign ? decimal(ONE.over(probability), 2) : "–");

export const fairText = (fair) => (fair === null ? t("never") : decimal(fair, 3));

export const favourMark = (words = "favours_player") => h("span.mark", "▲ ", t(words));

// The odds of a bet in short: "4, 20, 100 to 1".
export function paysText(bet) {
  const odds = bet.lines.filter((line) => line.net.sign > 0).map((line) => line.odds);
  if (!odds.every((one) => one.endsWith(" to 1"))) return odds.join(", ");
  return `${odds.map((one) => one.replace(/ to 1$/, "")).join(", ")} to 1`;
}

// Which bets of the view may stay on the layout, and how their figures (`words`) are meant; nothing if none may.
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

// The column of buttons that open the exact figures below a row; `open` holds the keys of the open ones.
export function exactColumn(app, open, keyOf, nameOf) {
  const toggle = (key) => () => {
    if (!open.delete(key)) open.add(key);
    app.redraw();
  };
  const cell = (one) =>
    button(t("exact"), toggle(keyOf(one)), {
      class: "small",
      "aria-expanded": String(open.has(keyOf(one))),
      "aria-label": t("show_exact", { bet: nameOf(one) }),
      "data-key": `exact ${keyOf(one)}`,
    });
  return numbers("exact", cell, { isUnseen: true });
}
