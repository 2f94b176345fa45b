// Pictures: house edges, the insurance grid, the effect of one card less, a shoe dealt to its end.
//
// Bars lie in cells of tables, so that the figures stay readable at any width and for any reader.

import { RANKS, minus, size } from "./cards.js";
import { newSeed, shuffled } from "./chance.js";
import { button, choice, drawn, h, tableIn } from "./dom.js";
import { ZERO, near, percent, signedPercent } from "./fraction.js";
import { insuranceName, standing } from "./round.js";
import { analysisOf } from "./model.js";
import { asked, valuedBet } from "./bets.js";
import { column, favourMark, term } from "./parts.js";
import { stayNote } from "./staying.js";
import { canBeDealt } from "./state.js";
import { distribution } from "./walk.js";
import { t } from "./texts.js";

const at = (share) => `${Math.round(share * 10_000) / 100}%`;

// A scale from the lowest to the highest of some values and 0, with a little air.
function scaleOf(values) {
  const numbers = [0, ...values.map(near)];
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const width = high - low || 1;
  const place = (value) => 0.02 + (0.96 * (near(value) - low)) / width;
  return { place, zero: place(ZERO) };
}

function bar(scale, value, mark = null) {
  const [from, to] = [scale.zero, scale.place(value)].sort((one, other) => one - other);
  return drawn(
    "svg",
    { class: "bar", width: "100%", height: "18", "aria-hidden": "true" },
    drawn("rect", { x: at(from), y: "3", width: at(Math.max(to - from, 0.001)), height: "12", class: "bar-fill" }),
    drawn("line", { x1: at(scale.zero), x2: at(scale.zero), y1: "0", y2: "18", class: "bar-zero" }),
    mark && drawn("line", { x1: at(scale.place(mark)), x2: at(scale.place(mark)), y1: "0", y2: "18", class: "bar-mark" }),
  );
}

// ---------------------------------------------------------------- house edges

function edgesPicture(app) {
  const { bets, entry } = app.model;
  const fresh = app.model.fresh();
  const scale = scaleOf([...bets, ...fresh].map((bet) => bet.houseEdge));
  const rows = bets.map((bet, number) =>
    h("tr", { class: bet.favoursPlayer ? "favours" : null }, h("th", { scope: "row" }, bet.name, bet.favoursPlayer && favourMark()), h("td", { class: "bar-cell" }, bar(scale, bet.houseEdge, fresh[number].houseEdge)), h("td", { class: "n strong" }, percent(bet.houseEdge, 2)), h("td", { class: "n" }, percent(fresh[number].houseEdge, 2))),
  );
  const head = h("tr", null, column(t("bet")), h("td", { class: "bar-cell" }), column(t("now"), null, { class: "n" }), column(t("approved"), null, { class: "n" }));
  return h("section", { class: "panel" }, h("h2", null, t("edges_title"), term("house_edge")), h("p", { class: "help" }, t("edges_help", { n: entry.reference_decks })), stayNote(app, "stay_valued"), tableIn(t("edges_title"), "edges", head, rows, { class: "bars" }));
}

// ---------------------------------------------------------------- insurance

function heatCell(state) {
  if (!state || state.expectedValue === null) return h("td", { class: "heat none" }, h("span", { class: "unseen" }, "–"));
  const value = near(state.expectedValue);
  const depth = Math.min(4, Math.floor(Math.abs(value) / 0.05));
  const kind = state.favoursPlayer ? `gain gain-${depth}` : `loss loss-${depth}`;
  return h("td", { class: `heat ${kind}` }, state.favoursPlayer && "▲", signedPercent(state.expectedValue, 1));
}

function heatPicture(app) {
  const { game, insurance } = app.model;
  if (!game.terms) return null;
  const table = game.insurance[Math.min(app.state.heat, game.insurance.length - 1)];
  const here = insurance.filter((state) => state.table === table);
  const totals = Array.from({ length: 10 }, (_, total) => total);
  const find = (player, banker) => here.find((state) => state.player === player && state.banker === banker);
  const players = totals.filter((player) => here.some((state) => state.player === player));
  const bankers = totals.filter((banker) => here.some((state) => state.banker === banker));
  const rows = players.map((player) => h("tr", null, h("th", { scope: "row" }, `${t("player_short")} ${player}`), bankers.map((banker) => heatCell(find(player, banker)))));
  const head = h("tr", null, h("td"), bankers.map((banker) => h("th", { scope: "col" }, `${t("banker_short")} ${banker}`)));
  const options = game.insurance.map((one, number) => [`${number}`, insuranceName(one.side, one.stage)]);
  return h(
    "section",
    { class: "panel" },
    h("h2", null, t("heat_title"), term("insurance")),
    h("p", { class: "help" }, t("heat_help")),
    choice(t("heat_table"), "heat table", `${game.insurance.indexOf(table)}`, options, (number) => app.update({ heat: Number(number) }, { undoable: false })),
    tableIn(t("heat_caption"), "heat", head, rows, { class: "heat-map" }),
  );
}

// ---------------------------------------------------------------- one card less

export const shownBet = (app) => app.model.bets.find((bet) => bet.id === app.state.bet) ?? app.model.bets[0];

function betChoice(app, key) {
  return choice(t("removal_bet"), key, shownBet(app).id, app.model.bets.map((bet) => [bet.id, bet.name]), (id) => app.update({ bet: id }, { undoable: false }));
}

function removalPicture(app) {
  const { game } = app.model;
  const now = shownBet(app);
  const moved = RANKS.map((_, rank) => (app.state.shoe[rank] ? analysisOf(game, now.bet, minus(app.state.shoe, [rank])).houseEdge.minus(now.houseEdge) : null));
  const scale = scaleOf(moved.filter(Boolean));
  const rows = RANKS.map((name, rank) => h("tr", null, h("th", { scope: "row" }, name), h("td", { class: "bar-cell" }, moved[rank] && bar(scale, moved[rank])), h("td", { class: "n" }, moved[rank] ? signedPercent(moved[rank]) : "–")));
  const head = h("tr", null, column(t("rank")), h("td", { class: "bar-cell" }), column(t("difference"), null, { class: "n" }));
  return h("section", { class: "panel" }, h("h2", null, t("removal_title"), term("removal")), h("p", { class: "help" }, t("removal_help")), betChoice(app, "removal bet"), tableIn(`${t("removal_title")}: ${now.name}`, "removal", head, rows, { class: "bars ranks" }));
}

// ---------------------------------------------------------------- a dealt shoe

// The shoe before every round of one shuffled shoe, as long as it surely can finish one.
function dealtShoes(game, shoe, seed) {
  const cards = shuffled(shoe, seed);
  const before = [];
  let left = [...shoe];
  let next = 0;
  while (cards.length - next >= 6) {
    before.push(left);
    let [player, banker] = [[], []];
    for (let now = standing(game, player, banker); !now.isOver; now = standing(game, player, banker)) {
      if (now.next === "player") player = [...player, cards[next]];
      else banker = [...banker, cards[next]];
      next += 1;
    }
    left = minus(left, [...player, ...banker]);
  }
  return before;
}

const paths = { key: "", shoes: [], counts: [] }; // the last shoe dealt: its rounds, counted once for all bets
const AT_ONCE = 8;

function pathLine(edges) {
  const scale = scaleOf(edges);
  const y = (value) => 100 - 100 * scale.place(value);
  const step = 1000 / Math.max(1, edges.length - 1);
  const points = edges.map((edge, number) => `${(number * step).toFixed(2)},${y(edge).toFixed(3)}`).join(" ");
  return drawn(
    "svg",
    { class: "path", viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawn("line", { x1: "0", x2: "1000", y1: y(ZERO).toFixed(3), y2: y(ZERO).toFixed(3), class: "path-zero" }),
    drawn("polyline", { points, class: "path-line" }),
  );
}

function pathSaid(edges, shoes) {
  const [low, high] = [edges.reduce((one, other) => (other.compare(one) < 0 ? other : one)), edges.reduce((one, other) => (other.compare(one) > 0 ? other : one))];
  return {
    top: high.sign > 0 ? high : ZERO,
    bottom: low.sign < 0 ? low : ZERO,
    words: t("path_said", { rounds: edges.length, low: percent(low, 2), high: percent(high, 2), at: size(shoes[edges.indexOf(low)]), n: edges.filter((edge) => edge.sign < 0).length }),
  };
}

function drawPath(app, place) {
  const { game } = app.model;
  const bet = shownBet(app).bet;
  const edges = paths.counts.map((counts) => valuedBet(game, bet, counts).houseEdge);
  const said = pathSaid(edges, paths.shoes);
  place.replaceChildren(
    h("div", { class: "path-frame" }, h("p", { class: "path-top" }, `${percent(said.top, 2)} %`), pathLine(edges), h("p", { class: "path-bottom" }, `${percent(said.bottom, 2)} %`)),
    h("p", { class: "path-ends" }, h("span", null, `${size(paths.shoes[0])}`), h("span", null, t("path_left")), h("span", null, `${size(paths.shoes[paths.shoes.length - 1])}`)),
    h("p", { role: "status", id: "path-said" }, said.words),
  );
}

function countPath(app, place, key) {
  const { game } = app.model;
  const goOn = () => {
    if (paths.key !== key || !place.isConnected) return;
    for (let done = 0; done < AT_ONCE && paths.counts.length < paths.shoes.length; done += 1) {
      paths.counts.push(asked(distribution(paths.shoes[paths.counts.length], game.table, [], [], { ranks: game.ranks })));
    }
    if (paths.counts.length === paths.shoes.length) return void drawPath(app, place);
    place.firstChild.textContent = t("path_working", { done: paths.counts.length, all: paths.shoes.length });
    setTimeout(goOn);
  };
  setTimeout(goOn);
}

function pathPicture(app) {
  const { game } = app.model;
  const { shoe, seed } = app.state;
  const place = h("div", { class: "path-place" }, h("p", { class: "help" }, ""));
  const key = `${app.state.game} ${shoe} ${seed}`;
  if (size(shoe) < 6 || !canBeDealt(size(shoe))) place.replaceChildren(h("p", null, t("path_short")));
  else {
    if (paths.key !== key) Object.assign(paths, { key, shoes: dealtShoes(game, shoe, seed), counts: [] });
    if (paths.counts.length === paths.shoes.length) drawPath(app, place);
    else countPath(app, place, key);
  }
  return h("section", { class: "panel" }, h("h2", null, t("path_title")), h("p", { class: "help" }, t("path_help")), h("div", { class: "row" }, betChoice(app, "path bet"), button(t("path_again"), () => app.update({ seed: newSeed() }, { undoable: false }), { "data-key": "shuffle" })), place);
}

export function picturesView(app) {
  return h("div", { class: "columns even" }, h("div", null, edgesPicture(app), heatPicture(app)), h("div", null, removalPicture(app), pathPicture(app)));
}
