// Tables from columns, and the terms of their heads with their meaning.

import { button, h, tableIn } from "./dom.js";
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
  const attributes = {
    class: "term",
    "aria-label": t("explain", { term: termName(key) }),
    "aria-haspopup": "dialog",
  };
  return button(h("span", "?"), show, attributes);
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
  const isSorted = sort && sorting?.sort === sort;
  const order = sorting?.descending ? "descending" : "ascending";
  const arrow = isSorted && h("span.arrow", { "aria-hidden": "true" }, sorting.descending ? " ▼" : " ▲");
  const press = { class: "sort", "data-key": `sort ${sort}` };
  const text = sort ? button([t(head), arrow], () => sorting.by(sort), press) : t(head);
  const attributes = { scope: "col", class: kind, "aria-sort": sort && (isSorted ? order : "none") };
  return h("th", attributes, h(isUnseen ? "span.unseen" : "span.head", text, word && term(word)));
}

// A table with a row for each record. `row`: the attributes of a row; `more`: what is shown below it, if
// anything; `last`: a row below all; `sorting`: the column that sorts, and what a press on a head does.
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

export const exactBets = (app, open) =>
  exactColumn(
    app,
    open,
    (bet) => bet.id,
    (bet) => bet.name,
  );
