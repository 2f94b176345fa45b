// Tables from columns, and the terms of their heads with their meaning.

import { button, each, h, tableIn } from "./dom.js";
import { percent, signedPercent } from "./fraction.js";
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
  const label = t("explain", { term: termName(key) });
  return button(h("span", "?"), show, { class: "term", "aria-label": label, "aria-haspopup": "dialog" });
}

// ---------------------------------------------------------------- columns

export const favourMark = (words = "favours_player") => h("span.mark", "▲ ", t(words));

// A column of a table: the key of its head, the cell of a record, and options: `class`; `term`: explains the
// head; `sort`: its name in the state; `isName`: its cells name their rows; `isUnseen`: its head is for
// screen readers.
export const column = (head, cell, options = {}) => ({ head, cell, ...options });

export const numbers = (head, cell, options = {}) =>
  column(head, cell, { ...options, class: `n ${options.class ?? ""}` });

// The name of a row, with a mark where it favours the player, and its clause where the screen is narrow.
export const nameColumn = (head, name, clause, options = {}) =>
  column(head, (one) => [name(one), one.favoursPlayer && favourMark(), h("span.narrow", clause(one))], {
    isName: true,
    ...options,
  });

// The name of a bet.
export const betColumn = (options) =>
  nameColumn(
    "bet",
    (bet) => bet.name,
    (bet) => bet.bet.settled,
    options,
  );

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
  const order = { [sort]: "ascending", [`-${sort}`]: "descending" }[sorting?.sort];
  const arrow = order && h("span.arrow", { "aria-hidden": "true" }, order === "ascending" ? " ▲" : " ▼");
  const press = { class: "sort", "data-key": `sort ${sort}` };
  const text = sort ? button([t(head), arrow], () => sorting.by(sort), press) : t(head);
  const attributes = { scope: "col", class: kind, "aria-sort": sort && (order ?? "none") };
  return h("th", attributes, h(isUnseen ? "span.unseen" : "span.head", text, word && term(word)));
}

// The column of buttons that show and hide the exact figures of a row.
const unfolded = new Set(); // the rows that show them
const exactColumn = (table, { app, key, name }) => {
  const toggle = (row) => () => {
    if (!unfolded.delete(row)) unfolded.add(row);
    app.redraw();
  };
  const cell = (one) =>
    button(t("exact"), toggle(`${table} ${key(one)}`), {
      class: "small",
      "aria-expanded": String(unfolded.has(`${table} ${key(one)}`)),
      "aria-label": t("show_exact", { bet: name(one) }),
      "data-key": `exact ${key(one)}`,
    });
  return numbers("exact", cell, { isUnseen: true });
};

// A table with a row for each record. `row`: the attributes of a row; `exact`: the figures that a row shows
// on demand, with its key and name; `last`: a row below all; `sorting`: the column that sorts, and the act of
// its heads.
export function tableOf(caption, key, columns, records, { row, exact, last, sorting, ...attributes } = {}) {
  const shown = exact ? [...columns, exactColumn(key, exact)] : columns;
  const cell = (one, { cell: content, class: kind, isName }) =>
    h(isName ? "th" : "td", { scope: isName && "row", class: kind }, content(one) ?? "–");
  const figures = (one) => h("td", { colspan: `${shown.length}` }, exact.show(one));
  const rows = records.flatMap((one) => {
    const cells = shown.map((of) => cell(one, of));
    const below = exact && unfolded.has(`${key} ${exact.key(one)}`) && h("tr.more", figures(one));
    return [h("tr", { class: one.favoursPlayer && "favours", ...row?.(one) }, cells), below];
  });
  const head = each("tr", shown, (one) => headCell(one, sorting));
  return tableIn(caption, key, head, [rows, last], attributes);
}
