// Bets that stay on the layout after a tie or a void round: what is said of their figures.

import { stayingBets } from "./bets.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

// What leaves a stake on the layout, as the game is read.
const afterWhat = (game) => (game.practice.tied_bets !== "stay" ? "after_void" : game.voidBets === "stay" ? "after_either" : "after_tie");

// Which bets of the view may stay on the layout, and what their figures are (`words`); nothing where none does.
export function stayNote(app, words) {
  const shown = app.model.bets.map((bet) => bet.id);
  const names = stayingBets(app.model.game).filter((bet) => shown.includes(bet.id)).map((bet) => bet.name);
  return names.length ? h("p", { class: "help stays" }, t(words, { names: names.join(", "), after: t(afterWhat(app.model.game)) })) : null;
}
