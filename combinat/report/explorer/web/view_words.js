// Words: every term, where the document says what, and how the figures are made.

import { h } from "./dom.js";
import { TERMS, t, termMeaning, termName } from "./texts.js";

const moment = (value) => value?.$moment ?? "";

const said = (pairs) => h("dl", { class: "said-of" }, pairs.filter(([, value]) => value).map(([name, value]) => [h("dt", null, name), h("dd", null, value)]));

export function wordsView(app) {
  const { entry, game } = app.model;
  const { book } = entry;
  const about = said([
    [t("document"), book.name],
    [t("rule_book_id"), book.id],
    [t("operator"), book.operator],
    [t("authority"), book.authority],
    [t("version"), book.version],
    [t("in_force"), `${moment(book.effective)} ${moment(book.time)}`.trim()],
    [t("decks_allowed"), `${book.decks.least}–${book.decks.most} (${book.decks.clause})`],
    [t("sha256"), h("code", null, entry.sha256)],
  ]);
  const sources = said([
    [t("card_values"), book.clauses.card_values],
    [t("point_total"), book.clauses.point_total],
    [t("deal"), book.clauses.deal],
    [t("source_natural"), book.clauses.natural],
    [t("table_of_play"), game.tableClause],
    [t("player_stood"), game.stoodClause],
    [t("winner"), book.clauses.winner],
    [t("source_tie"), book.clauses.tie],
    [t("source_void"), book.void.clauses.join(", ")],
  ]);
  const words = said(TERMS.map((term) => [termName(term), termMeaning(term)]));
  return h(
    "div",
    { class: "columns even" },
    h("div", null, h("section", { class: "panel" }, h("h2", null, t("words_title")), words)),
    h("div", null, h("section", { class: "panel" }, h("h2", null, t("about_title")), about), h("section", { class: "panel" }, h("h2", null, t("sources_title")), sources), h("section", { class: "panel" }, h("h2", null, t("how_title")), h("p", null, t("how")), h("p", { class: "help" }, t("for_programs")))),
  );
}
