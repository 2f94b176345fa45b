// The glossary: every term, the rule book and its clauses, and how the figures are made.

import { h } from "./dom.js";
import { help, panel } from "./parts.js";
import { many, t, termKeys, termMeaning, termName } from "./texts.js";

const listOf = (pairs) =>
  h(
    "dl.terms",
    pairs.filter(([, text]) => text).map(([name, text]) => [h("dt", name), h("dd", text)]),
  );

export function glossaryView(app) {
  const { entry, game } = app.model;
  const { book, ambiguous_clauses: ambiguous } = entry;
  const about = [
    [t("document"), book.name],
    [t("rule_book_id"), book.id],
    ...["operator", "authority", "version"].map((key) => [t(key), book[key]]),
    [t("in_force"), [book.effective, book.time].filter(Boolean).join(" ")],
    [t("decks_allowed"), `${book.decks.least}–${book.decks.most} (${book.decks.clause})`],
    [t("ambiguous"), ambiguous > 0 && many("ambiguous_clause", "ambiguous_clauses", ambiguous)],
    [t("sha256"), h("code", entry.sha256)],
  ];
  const stated = (...keys) => keys.map((key) => [t(key), book.clauses[key]]);
  const clauses = [
    ...stated("card_values", "point_total", "deal"),
    [t("source_natural"), book.clauses.natural],
    [t("table_of_play"), game.tableClause],
    [t("player_stood"), game.stoodClause],
    ...stated("winner", "tie"),
    [t("void_rounds"), book.void.clauses.join(", ")],
  ];
  return h(
    "div.columns.even",
    h("div", panel(t("glossary_title"), listOf(termKeys().map((key) => [termName(key), termMeaning(key)])))),
    h(
      "div",
      panel(t("about_title"), listOf(about)),
      panel(t("sources_title"), listOf(clauses)),
      panel(t("how_title"), h("p", t("how")), help("for_programs")),
    ),
  );
}
