// Bets that stay on the layout after a tie: what is said of their figures.

import { stayingBets } from "./bets.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

// Which bets of the view stay on the layout after a tie, and what their figures are (`words`); nothing where none does.
export function stayNote(app, words) {
  const shown = app.model.bets.map((bet) => bet.id);
  const names = stayingBets(app.model.game).filter((bet) => shown.includes(bet.id)).map((bet) => bet.name);
  return names.length ? h("p", { class: "help stays" }, t(words, { names: names.join(", ") })) : null;
}
