// The pay table: other odds and their effect, and odds for a target edge.

import { netFor, outcomeOf } from "./bets.js";
import { button, choice, field, h } from "./dom.js";
import { Fraction, HUNDRED, decimal, parsedFraction, percent, signedPercent } from "./fraction.js";
import { announce, tell } from "./messages.js";
import { typedOdds, writtenOdds } from "./odds.js";
import { help, panel, stayNote } from "./parts.js";
import { insuranceName } from "./round.js";
import { clauseColumn, column, favourMark, numbers, tableOf } from "./tables.js";
import { many, t } from "./texts.js";
import { favoursText } from "./view_shoe.js";

const solving = { line: "", edge: "5", step: "20" }; // the inputs of the solver, which are no part of a link

// ---------------------------------------------------------------- changes

// The changes with other odds on one line; the approved odds are no change.
function withOdds(changes, group, key, index, odds, approved) {
  const { [key]: before, ...others } = changes[group];
  const { [index]: _, ...lines } = before ?? {};
  if (odds !== approved) lines[index] = odds;
  return { ...changes, [group]: Object.keys(lines).length ? { ...others, [key]: lines } : others };
}

const lineName = (bet, line) => (line.name ? `${bet.name}, ${line.name}` : bet.name);

const offerName = (table, offer) => `${insuranceName(table.side, table.stage)}, ${totalsText(offer)}`;

// Every changed line in words.
export function changeTexts({ state, model }) {
  const approved = model.entry.game;
  const texts = (lines, nameOf, linesOf) =>
    Object.entries(lines).flatMap(([key, odds]) =>
      Object.entries(odds).map(([index, now]) => {
        const line = linesOf(key)[index];
        return t("changed_line", { what: nameOf(key, line), odds: now, approved: line.odds });
      }),
    );
  const tableOfKey = (key) => approved.insurance.find((one) => one.key === key);
  return [
    ...texts(
      state.changes.odds,
      (id, line) => lineName(approved.bet(id), line),
      (id) => approved.bet(id).lines,
    ),
    ...texts(
      state.changes.insurance,
      (key, line) => offerName(tableOfKey(key), line),
      (key) => tableOfKey(key).lines,
    ),
  ];
}

// ---------------------------------------------------------------- odds

// A field for the odds of one line of `group`.
function oddsField(app, group, key, { index, odds, approved, label }) {
  const type = (text) => {
    try {
      app.update({ changes: withOdds(app.state.changes, group, key, index, typedOdds(text), approved) });
    } catch (error) {
      tell(`${label}: ${error.message}`);
      app.redraw();
    }
  };
  const box = { hidden: true, class: "odds", maxlength: "40" };
  return field(t("odds_of", { what: label }), `${group} ${key} ${index}`, odds, type, box);
}

// A record for each line of the pay table; the first line of a bet shows the figures of the bet.
function payLines({ bets, approved, entry }) {
  return bets.flatMap((bet, number) =>
    bet.bet.lines.map((line, index) => ({
      bet,
      line,
      index,
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
  const ofBet = (show) => (one) => (one.isFirst ? show(one) : "");
  const change = ({ bet, approvedEdge }) => bet.houseEdge.minus(approvedEdge);
  const columns = [
    column("bet", name, { isName: true }),
    column("line", ({ line }) => line.name || t("only_line")),
    numbers("chance", ({ outcome }) => outcome && percent(outcome.probability), { class: "wide" }),
    column("approved", (one) => one.approved, { class: "wide" }),
    column("now", (one) => (one.line.net.sign > 0 ? oddsField(app, "odds", one.bet.id, one) : one.odds), {
      term: "odds",
    }),
    numbers(
      "approved_edge",
      ofBet((one) => percent(one.approvedEdge)),
      { class: "wide" },
    ),
    numbers(
      "edge_now",
      ofBet(({ bet }) => percent(bet.houseEdge)),
      { class: "strong", term: "house_edge" },
    ),
    numbers(
      "difference",
      ofBet((one) => (change(one).sign ? signedPercent(change(one)) : t("unchanged"))),
      { class: "wide" },
    ),
    clauseColumn(ofBet(({ bet }) => bet.bet.settled)),
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
  return { words: [...words, t("solved", { odds, edge: percent(edge) })], odds, id, index };
}

function solvePanel(app) {
  const paid = app.model.bets.flatMap(({ id, bet }) =>
    bet.lines.map((line, index) => [`${id}:${index}`, lineName(bet, line), line.net.sign]),
  );
  const options = paid.filter(([, , sign]) => sign > 0);
  if (!options.some(([value]) => value === solving.line)) [[solving.line]] = options;
  const answer = solution(app);
  const use = ({ id, index, odds }) => {
    const approved = app.model.entry.game.bet(id).lines[index].odds;
    app.update({ changes: withOdds(app.state.changes, "odds", id, index, odds, approved) });
  };
  const set = (key) => (value) => {
    solving[key] = value;
    app.redraw();
  };
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
    h(
      "div#solved.said",
      { role: "status" },
      answer.words.map((words) => h("p", words)),
    ),
    answer.odds && button(t("use_odds"), () => use(answer), { class: "main", "data-key": "use odds" }),
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
        index,
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
  const columns = [
    column(
      "hand",
      (one) => [
        insuranceName(one.table.side, one.table.stage),
        favours(one) && mark(one),
        h("span.narrow", clause(one)),
      ],
      { isName: true, term: "insurance" },
    ),
    column("totals", ({ offer }) => totalsText(offer), { term: "state" }),
    column("approved", (one) => one.approved, { class: "wide" }),
    column("now", (one) => oddsField(app, "insurance", one.table.key, one), { term: "odds" }),
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
