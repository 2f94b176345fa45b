// Charts: house edges, insurance by both totals, the effect of removing one card, a shoe dealt to its end.
//
// Bars lie in table cells beside their figures, which stay readable at any width and for screen readers.

import { valuedBet } from "./bets.js";
import { RANKS, minus, size } from "./cards.js";
import { newSeed, shuffled } from "./chance.js";
import { choice, each, h, svg, tableIn } from "./dom.js";
import { ZERO, near, percent, signedPercent } from "./fraction.js";
import { analysisOf } from "./model.js";
import { action, help, panel, stayNote } from "./parts.js";
import { insuranceName, standing } from "./round.js";
import { canBeDealt } from "./state.js";
import { betColumn, column, numbers, tableOf, term } from "./tables.js";
import { t } from "./texts.js";
import { countsFor } from "./walk.js";

const SHOW = { undoable: false };

// ---------------------------------------------------------------- bars

const at = (share) => `${(100 * share).toFixed(3)}%`;

// A scale from the lowest to the highest of these values and 0, with a margin of 2 %.
function scaleOf(values) {
  const points = [0, ...values.map(near)];
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const place = (value) => 0.02 + (0.96 * (near(value) - low)) / (high - low || 1);
  return { place, zero: place(ZERO) };
}

const upright = (kind, place) => svg(`line.${kind}`, { x1: at(place), x2: at(place), y1: "0", y2: "18" });

// A bar from 0 to `value`; `mark`: another value, as a line across it.
function bar(scale, value, mark = null) {
  const [from, to] = [scale.zero, scale.place(value)].sort((one, other) => one - other);
  return svg(
    "svg.bar",
    { width: "100%", height: "18", "aria-hidden": "true" },
    svg("rect.bar-fill", { x: at(from), y: "3", width: at(Math.max(to - from, 0.001)), height: "12" }),
    upright("bar-zero", scale.zero),
    mark && upright("bar-mark", scale.place(mark)),
  );
}

const barColumn = (cell) => column("chart", cell, { class: "bar-cell", isUnseen: true });

function edgesChart(app) {
  const fresh = app.model.fresh();
  const bets = app.model.bets.map((bet, number) => ({ ...bet, approvedEdge: fresh[number].houseEdge }));
  const scale = scaleOf(bets.flatMap((bet) => [bet.houseEdge, bet.approvedEdge]));
  const columns = [
    betColumn(),
    barColumn((bet) => bar(scale, bet.houseEdge, bet.approvedEdge)),
    numbers("now", (bet) => percent(bet.houseEdge, 2), { class: "strong" }),
    numbers("approved", (bet) => percent(bet.approvedEdge, 2)),
  ];
  return panel(
    [t("edges_title"), term("house_edge")],
    help("edges_help", { n: app.model.entry.reference_decks }),
    stayNote(app, "stay_valued"),
    tableOf(t("edges_title"), "edges", columns, bets, { class: "bars" }),
  );
}

function heatCell(state) {
  if (!state?.expectedValue) return h("td.heat", h("span.unseen", "–"));
  const depth = Math.min(4, Math.floor(Math.abs(near(state.expectedValue)) / 0.05));
  const kind = state.favoursPlayer ? `gain gain-${depth}` : `loss-${depth}`;
  return h("td.heat", { class: kind }, state.favoursPlayer && "▲", signedPercent(state.expectedValue, 1));
}

function heatChart(app) {
  const { game, insurance } = app.model;
  if (!game.terms) return null;
  const number = Math.min(app.state.heat, game.insurance.length - 1);
  const here = insurance.filter((state) => state.table === game.insurance[number]);
  const totals = (hand) => [...new Set(here.map((state) => state[hand]))].sort();
  const [players, bankers] = [totals("player"), totals("banker")];
  const cell = (player, banker) =>
    heatCell(here.find((state) => state.player === player && state.banker === banker));
  const head = (scope, hand, total) => h("th", { scope }, `${t(hand)} ${total}`);
  const cells = (player) => bankers.map((banker) => cell(player, banker));
  const rows = players.map((player) => h("tr", head("row", "player_short", player), cells(player)));
  const bankerHeads = bankers.map((banker) => head("col", "banker_short", banker));
  const heads = h("tr", h("td"), bankerHeads);
  const take = (one) => app.update({ heat: Number(one) }, SHOW);
  const options = game.insurance.map((one, index) => [`${index}`, insuranceName(one.side, one.stage)]);
  return panel(
    [t("heat_title"), term("insurance")],
    help("heat_help"),
    choice(t("heat_table"), "heat table", `${number}`, options, take),
    tableIn(t("heat_caption"), "heat", heads, rows, { class: "heat-map" }),
  );
}

// ---------------------------------------------------------------- removing one card

const chosenBet = ({ model, state }) => model.bets.find((bet) => bet.id === state.bet) ?? model.bets[0];

function betChoice(app, key) {
  const options = app.model.bets.map((bet) => [bet.id, bet.name]);
  return choice(t("removal_bet"), key, chosenBet(app).id, options, (bet) => app.update({ bet }, SHOW));
}

function removalChart(app) {
  const now = chosenBet(app);
  const { shoe } = app.state;
  const edgeWithout = (rank) => analysisOf(app.model.game, now.bet, minus(shoe, [rank])).houseEdge;
  const effects = RANKS.map((name, rank) => ({
    name,
    effect: shoe[rank] ? edgeWithout(rank).minus(now.houseEdge) : null,
  }));
  const scale = scaleOf(effects.flatMap(({ effect }) => effect ?? []));
  const columns = [
    column("rank", ({ name }) => name, { isName: true }),
    barColumn(({ effect }) => (effect ? bar(scale, effect) : "")),
    numbers("difference", ({ effect }) => effect && signedPercent(effect)),
  ];
  return panel(
    [t("removal_title"), term("removal")],
    help("removal_help"),
    betChoice(app, "removal bet"),
    tableOf(`${t("removal_title")}: ${now.name}`, "removal", columns, effects, { class: "bars ranks" }),
  );
}

// ---------------------------------------------------------------- a shoe dealt to its end

// The cards left before every round of a shuffled shoe, while six or more are left.
function shoesBeforeRounds(game, shoe, seed) {
  const cards = shuffled(shoe, seed);
  const before = [];
  let left = shoe;
  while (cards.length >= 6) {
    before.push(left);
    let now = standing(game, [], []);
    while (!now.isOver) {
      const hands = { player: now.player, banker: now.banker };
      hands[now.next] = [...hands[now.next], cards.shift()];
      now = standing(game, hands.player, hands.banker);
    }
    left = minus(left, [...now.player, ...now.banker]);
  }
  return before;
}

const path = { key: "", shoes: [], counts: [] }; // the last shoe dealt: its rounds, counted once for all bets
const AT_ONCE = 8;

function pathLine(edges) {
  const scale = scaleOf(edges);
  const y = (value) => (100 - 100 * scale.place(value)).toFixed(3);
  const step = 1000 / Math.max(1, edges.length - 1);
  const points = edges.map((edge, number) => `${(number * step).toFixed(2)},${y(edge)}`).join(" ");
  return svg(
    "svg.path",
    { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("line.path-zero", { x1: "0", x2: "1000", y1: y(ZERO), y2: y(ZERO) }),
    svg("polyline.path-line", { points }),
  );
}

function drawPath(app, place) {
  const bet = chosenBet(app).bet;
  const edges = path.counts.map((counts) => valuedBet(app.model.game, bet, counts).houseEdge);
  const inOrder = edges.toSorted((one, other) => one.compare(other));
  const [low, high] = [inOrder[0], inOrder[inOrder.length - 1]];
  const cards = path.shoes.map(size);
  const words = t("path_summary", {
    rounds: edges.length,
    low: percent(low, 2),
    high: percent(high, 2),
    at: cards[edges.indexOf(low)],
    n: edges.filter((edge) => edge.sign < 0).length,
  });
  const mark = (kind, value) => h(`p.${kind}`, `${percent(value, 2)} %`);
  const [top, bottom] = [high.sign > 0 ? high : ZERO, low.sign < 0 ? low : ZERO];
  const ends = [cards[0], t("path_left"), cards[cards.length - 1]];
  place.replaceChildren(
    h("div.path-frame", mark("path-top", top), pathLine(edges), mark("path-bottom", bottom)),
    each("p.path-ends", ends, (text) => h("span", `${text}`)),
    h("p#path-summary", { role: "status" }, words),
  );
}

// Counts some rounds at a time, so that the page stays responsive.
function countPath(app, place) {
  const { key, shoes, counts } = path;
  const { game } = app.model;
  const goOn = () => {
    if (path.key !== key || !place.isConnected) return;
    for (const shoe of shoes.slice(counts.length, counts.length + AT_ONCE)) {
      counts.push(countsFor(game, shoe));
    }
    place.firstChild.textContent = t("path_working", { done: counts.length, all: shoes.length });
    if (counts.length < shoes.length) setTimeout(goOn);
    else drawPath(app, place);
  };
  setTimeout(goOn);
}

function pathChart(app) {
  const { shoe, seed } = app.state;
  const place = h("div", h("p.help"));
  const key = `${app.state.game} ${shoe} ${seed}`;
  if (size(shoe) < 6 || !canBeDealt(size(shoe))) place.replaceChildren(h("p", t("path_short")));
  else {
    if (path.key !== key)
      Object.assign(path, { key, shoes: shoesBeforeRounds(app.model.game, shoe, seed), counts: [] });
    if (path.counts.length === path.shoes.length) drawPath(app, place);
    else countPath(app, place);
  }
  const shuffle = () => app.update({ seed: newSeed() }, SHOW);
  const tools = h("div.row", betChoice(app, "path bet"), action("path_again", shuffle));
  return panel(t("path_title"), help("path_help"), tools, place);
}

export function chartsView(app) {
  return h(
    "div.columns.even",
    h("div", edgesChart(app), heatChart(app)),
    h("div", removalChart(app), pathChart(app)),
  );
}
