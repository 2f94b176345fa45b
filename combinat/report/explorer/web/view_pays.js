// The pay table: other odds and their effect, and odds for a target edge.

import { netFor, outcomeOf } from "./bets.js";
import { choice, field, h } from "./dom.js";
import { Fraction, HUNDRED, decimal, parsedFraction, percent, signedPercent } from "./fraction.js";
import { announce, tell } from "./messages.js";
import { typedOdds, writtenOdds } from "./odds.js";
import { action, help, panel, stayNote } from "./parts.js";
import { insuranceName } from "./round.js";
import { clauseColumn, column, favourMark, numbers, tableOf } from "./tables.js";
import { many, t } from "./texts.js";
import { favoursText } from "./view_shoe.js";

const solving = { line: "", edge: "5", step: "20" }; // the inputs of the solver, which are no part of a link

// ---------------------------------------------------------------- changes

const lineName = (bet, line) => (line.name ? `${bet.name}, ${line.name}` : bet.name);

const offerName = (table, offer) => `${insuranceName(table.side, table.stage)}, ${totalsText(offer)}`;

// The name and the approved odds of the line with this key.
function approvedLine({ game }, key) {
  const [id, index] = key.split(":");
  const [bet, table] = [game.bet(id), game.insuranceTable(id)];
  const line = (bet ?? table).lines[index];
  return { what: bet ? lineName(bet, line) : offerName(table, line), approved: line.odds };
}

// Takes other odds for a line; the approved odds are no change.
function takeOdds({ state, model, update }, key, odds) {
  const { [key]: _, ...others } = state.changes;
  const isApproved = odds === approvedLine(model.entry, key).approved;
  update({ changes: isApproved ? others : { ...others, [key]: odds } });
}

// Every changed line in words.
export const changeTexts = ({ state, model }) =>
  Object.entries(state.changes).map(([key, odds]) =>
    t("changed_line", { ...approvedLine(model.entry, key), odds }),
  );

// ---------------------------------------------------------------- odds

// A field for the odds of one line.
function oddsField(app, { key, odds, label }) {
  const type = (text) => {
    try {
      takeOdds(app, key, typedOdds(text));
    } catch (error) {
      tell(`${label}: ${error.message}`);
      app.redraw();
    }
  };
  const box = { hidden: true, class: "odds", maxlength: "40" };
  return field(t("odds_of", { what: label }), `odds ${key}`, odds, type, box);
}

// A record for each line of the pay table; the first line of a bet shows the figures of the bet.
function payLines({ bets, approved, entry }) {
  return bets.flatMap((bet, number) =>
    bet.bet.lines.map((line, index) => ({
      bet,
      line,
      index,
      key: `${bet.id}:${index}`,
      isFirst: index === 0,
      odds: line.odds,
      approved: entry.game.bet(bet.id).lines[index].odds,
      approvedEdge: approved[number].houseEdge,
      outcome: outcomeOf(bet, index),
      label: lineName(bet, line),
    })),
  );
}

const changedClass = ({ odds, approved }) => (odds === approved ? "" : "changed");

function oddsPanel(app) {
  const name = ({ bet, isFirst }) =>
    isFirst
      ? [bet.name, bet.favoursPlayer && favourMark(), h("span.narrow", bet.bet.settled)]
      : h("span.unseen", bet.name);
  const change = ({ bet, approvedEdge }) => bet.houseEdge.minus(approvedEdge);
  const changeText = (one) => (change(one).sign ? signedPercent(change(one)) : t("unchanged"));
  const odds = (one) => (one.line.net.sign > 0 ? oddsField(app, one) : one.odds);
  const columns = [
    column("bet", name, { isName: true }),
    column("line", ({ line }) => line.name || t("only_line")),
    numbers("chance", ({ outcome }) => outcome && percent(outcome.probability), { class: "wide" }),
    column("approved", (one) => one.approved, { class: "wide" }),
    column("now", odds, { term: "odds" }),
    numbers("approved_edge", (one) => one.isFirst && percent(one.approvedEdge), { class: "wide" }),
    numbers("edge_now", (one) => one.isFirst && percent(one.bet.houseEdge), {
      class: "strong",
      term: "house_edge",
    }),
    numbers("difference", (one) => one.isFirst && changeText(one), { class: "wide" }),
    clauseColumn((one) => one.isFirst && one.bet.bet.settled),
  ];
  const row = (one) => ({
    class: `${changedClass(one)} ${one.isFirst ? "first" : ""} ${one.bet.favoursPlayer ? "favours" : ""}`,
    "data-line": `${one.bet.id} ${one.index}`,
  });
  return panel(
    t("pays_title"),
    help("pays_help"),
    stayNote(app, "stay_valued"),
    tableOf(t("pays_caption"), "pays", columns, payLines(app.model), { class: "pays", row }),
  );
}

// ---------------------------------------------------------------- odds for a target edge

const STEPS = { 0: "step_exact", 1: "step_1", 2: "step_2", 20: "step_20" };

// The odds of the chosen line at the target edge, in words, and as odds that a rule book can hold.
function solution(app) {
  const [id, index] = solving.line.split(":");
  const bet = app.model.bets.find((one) => one.id === id);
  const target = parsedFraction(solving.edge);
  if (!bet || !target) return { words: [t("bad_edge")] };
  const net = netFor(bet, Number(index), target.over(HUNDRED).negated);
  if (net === null) return { words: [t("cannot_solve")] };
  if (net.sign <= 0) return { words: [t("not_solved")] };
  const words = [t("solved_exact", { net, about: decimal(net, 4) })];
  const step = BigInt(solving.step);
  const rounded = step ? new Fraction((net.numerator * step) / net.denominator, step) : net;
  const odds = writtenOdds(rounded);
  if (!odds) return { words: [...words, rounded.sign > 0 ? t("too_long") : t("nothing_left")] };
  const line = outcomeOf(bet, Number(index));
  const edge = bet.houseEdge.minus(rounded.minus(line.net).times(line.probability));
  return { words: [...words, t("solved", { odds, edge: percent(edge) })], odds };
}

function solvePanel(app) {
  const paid = app.model.bets.flatMap(({ id, bet }) =>
    bet.lines.map((line, index) => [`${id}:${index}`, lineName(bet, line), line.net.sign]),
  );
  const options = paid.filter(([, , sign]) => sign > 0);
  if (!options.some(([value]) => value === solving.line)) [[solving.line]] = options;
  const answer = solution(app);
  const set = (key) => (value) => {
    solving[key] = value;
    app.redraw();
  };
  const words = answer.words.map((text) => h("p", text));
  const target = { inputmode: "decimal", class: "amount", maxlength: "12" };
  const steps = Object.entries(STEPS).map(([value, key]) => [value, t(key)]);
  return h(
    "section#solve.panel",
    h("h2", t("solve_title")),
    help("solve_help"),
    h(
      "div.row",
      choice(t("solve_line"), "solve line", solving.line, options, set("line")),
      field(t("wanted_edge"), "wanted edge", solving.edge, set("edge"), target),
      choice(t("step"), "solve step", solving.step, steps, set("step")),
    ),
    h("div#solved.said", { role: "status" }, words),
    answer.odds && action("use_odds", () => takeOdds(app, solving.line, answer.odds), { class: "main" }),
  );
}

// ---------------------------------------------------------------- insurance lines

function pointsText(points) {
  const [first, last] = [points[0], points[points.length - 1]];
  const isRange = points.every((point, at) => point === first + at);
  return isRange && last > first ? `${first}–${last}` : points.join(", ");
}

const totalsText = (offer) =>
  t("totals_of", { player: pointsText(offer.player), banker: pointsText(offer.banker) });

// A record for each line of the insurance tables, with the expected values of its states in order.
function offerLines({ game, insurance, entry }) {
  return game.insurance.flatMap((table, number) =>
    table.lines.map((offer, index) => {
      const states = insurance.filter((state) => state.offer === offer && state.expectedValue);
      return {
        table,
        offer,
        key: `${table.key}:${index}`,
        odds: offer.odds,
        approved: entry.game.insurance[number].lines[index].odds,
        values: states.map((state) => state.expectedValue).sort((one, other) => one.compare(other)),
        label: offerName(table, offer),
      };
    }),
  );
}

function insuranceLines(app) {
  if (!app.model.game.terms) return null;
  const best = ({ values }) => values[values.length - 1];
  const favours = (one) => best(one)?.sign > 0;
  const mark = (one) => favourMark(one.values[0].sign > 0 ? "favours_player" : "favours_at_some");
  const clause = ({ offer, table }) => offer.clause || table.settled;
  const range = (one) =>
    one.values.length && [...new Set([one.values[0], best(one)])].map((value) => signedPercent(value, 2));
  const name = (one) => [
    insuranceName(one.table.side, one.table.stage),
    favours(one) && mark(one),
    h("span.narrow", clause(one)),
  ];
  const columns = [
    column("hand", name, { isName: true, term: "insurance" }),
    column("totals", ({ offer }) => totalsText(offer), { term: "state" }),
    column("approved", (one) => one.approved, { class: "wide" }),
    column("now", (one) => oddsField(app, one), { term: "odds" }),
    numbers("ev_range", (one) => (range(one) || ["–"]).join(" … "), { term: "expected_value" }),
    clauseColumn(clause),
  ];
  const row = (one) => ({ class: `${changedClass(one)} ${favours(one) ? "favours" : ""}` });
  const lines = offerLines(app.model);
  return panel(
    t("insurance_lines"),
    tableOf(t("insurance_lines_caption"), "insurance lines", columns, lines, { class: "dense", row }),
  );
}

export function paysView(app) {
  return h(
    "div.stack",
    oddsPanel(app),
    h("div.columns.even", h("div", solvePanel(app)), h("div", insuranceLines(app))),
  );
}

export function announcePays(app) {
  const changes = many("change", "changes", changeTexts(app).length);
  announce(t("announce_pays", { changes, favours: favoursText(app.model) }));
}
