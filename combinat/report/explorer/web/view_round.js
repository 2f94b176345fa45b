// A round dealt card by card: who draws and why, the value of every bet from here, insurance, settlement.

import { RANKS, minus, pointsOf, size } from "./cards.js";
import { randomCard } from "./chance.js";
import { button, each, field, h, tableIn } from "./dom.js";
import { Fraction, money, parsedFraction, percent, signedPercent } from "./fraction.js";
import { MAXIMA, betsOn } from "./game.js";
import { announce } from "./messages.js";
import {
  action,
  clauseOf,
  copyButton,
  exactBets,
  exactStates,
  help,
  panel,
  stateColumns,
  stayNote,
} from "./parts.js";
import { dealtRound, insuranceByTotals, insuranceName, roundInProgress, settlement } from "./round.js";
import { NATURAL, STOOD, decision } from "./table_of_play.js";
import {
  betColumn,
  clauseColumn,
  column,
  nameColumn,
  numbers,
  tableOf,
  term,
  valueColumns,
} from "./tables.js";
import { RefusedError, many, refuse, t } from "./texts.js";

const TOTALS = Array.from({ length: 10 }, (_, total) => total);

// ---------------------------------------------------------------- dealing

const VOID_BETS = { returned: "void_returned", "decided-stand": "void_decided", stay: "void_stay" };

function resultText({ playerTotal: player, bankerTotal: banker }) {
  const key = player === banker ? "tie_on" : player > banker ? "player_wins" : "banker_wins";
  return t("over", { result: t(key, { player, banker }) });
}

// Why the next card goes where it goes, or why the round is over: one or two sentences.
function nextSentences(app, now, left) {
  const { game, entry } = app.model;
  const { clauses, void: ofVoid } = entry.book;
  if (!now.isOver && !size(left)) {
    return [t("void_round", { clause: ofVoid.clauses.join(", "), bets: t(VOID_BETS[game.voidBets]) })];
  }
  if (now.player.length < 2 || now.banker.length < 2) return [t("first_four", { clause: clauses.deal })];
  const decided = decision(game.table, pointsOf(now.player), pointsOf(now.banker));
  const isStood = decided.why === "against_natural" || decided.why.startsWith("stood");
  const clause = decided.why === "natural" ? clauses.natural : isStood ? game.stoodClause : game.tableClause;
  return [t(`why_${decided.why}`, { ...decided, clause }), now.isOver && resultText(now)].filter(Boolean);
}

function handOf(title, cards, total, isNext) {
  const card = (rank) => h("li.card", { "aria-label": t("card", { rank: RANKS[rank] }) }, RANKS[rank]);
  return h(
    "div.hand",
    { class: isNext && "next" },
    h("h3", title),
    cards.length ? each("ul.cards", cards, card) : help("no_cards"),
    h("p.big", cards.length ? many("point", "points", total) : "–"),
  );
}

// Insurance on offer in one line beside the cards, with a button that shows its figures.
function offerHint(known) {
  if (!known.insurance.length) return null;
  const values = (state) => ({
    hand: t(state.side),
    odds: state.offer.odds,
    ev: signedPercent(state.expectedValue, 2),
  });
  const offers = known.insurance.map((state) => t("offer_short", values(state))).join("; ");
  const show = () => document.getElementById("offers").scrollIntoView({ behavior: "smooth" });
  return h(
    "p#offer-hint.notice",
    t("offer_hint", { offers }),
    " ",
    button(t("show"), show, { "data-key": "show offers" }),
  );
}

function dealPanel(app, known) {
  const { now, left } = known;
  const { round } = app.state;
  const dealOn = (cards) => {
    let [dealt, rest] = [round, left];
    while (dealt.length < round.length + cards && size(rest) && !dealtRound(app.model.game, dealt).isOver) {
      const rank = randomCard(rest);
      [dealt, rest] = [[...dealt, rank], minus(rest, [rank])];
    }
    app.update({ round: dealt });
  };
  const canDeal = !now.isOver && size(left) > 0;
  const rankButton = (name, rank) =>
    button(
      [name, h("small", { "aria-hidden": "true" }, `${left[rank]}`)],
      () => app.update({ round: [...round, rank] }),
      {
        class: "rank",
        disabled: !canDeal || !left[rank],
        "aria-label": t("deal_card", { rank: name, n: left[rank] }),
        "data-key": `deal ${rank}`,
      },
    );
  return panel(
    t("round_title"),
    h(
      "div.hands",
      handOf(t("player_hand"), now.player, now.playerTotal, now.next === "player"),
      handOf(t("banker_hand"), now.banker, now.bankerTotal, now.next === "banker"),
    ),
    each("div#next.said", nextSentences(app, now, left), (words) => h("p", words)),
    offerHint(known),
    canDeal && h("p.strong", t("deal_to", { hand: t(`${now.next}_hand`) })),
    help("round_help"),
    each("ul.deal", RANKS, (name, rank) => h("li", rankButton(name, rank))),
    h(
      "div.row",
      action("deal_one", () => dealOn(1), { disabled: !canDeal }),
      action("deal_all", () => dealOn(6), { disabled: !canDeal }),
      action("take_back", () => app.update({ round: round.slice(0, -1) }), { disabled: !round.length }),
      action("clear_round", () => app.update({ round: [] }), { disabled: !round.length }),
      action("next_round", () => app.update({ shoe: left, round: [] }), {
        disabled: !now.isOver,
        title: t("next_round_help"),
      }),
    ),
  );
}

// ---------------------------------------------------------------- the Table of Play

const CELLS = { natural: "N", draws: "D", stands: "–" };

function playCell(kind, isDeciding, attributes = {}) {
  const words = isDeciding ? `${t(kind)}, ${t("here")}` : t(kind);
  const sign = h("span", { "aria-hidden": "true" }, CELLS[kind]);
  return h(`td.cell.${kind}`, { class: isDeciding && "lit", ...attributes }, sign, h("span.unseen", words));
}

function playTable(app, now) {
  const { table, tableClause } = app.model.game;
  const isDecided = now.player.length >= 2 && now.banker.length === 2;
  const deciding = isDecided ? decision(table, pointsOf(now.player), pointsOf(now.banker)) : null;
  const isDeciding = (row, at) => deciding?.row === row && deciding.at === at;
  const kind = (draws) => (draws ? "draws" : "stands");
  const bankerCells = (total) =>
    table.natural[total]
      ? playCell("natural", isDeciding(total, NATURAL), { colspan: `${TOTALS.length + 1}` })
      : [...TOTALS, STOOD].map((at) => playCell(kind(table.banker[total][at]), isDeciding(total, at)));
  const playerCells = TOTALS.map((total) =>
    playCell(table.natural[total] ? "natural" : kind(table.player[total]), isDeciding("player", total)),
  );
  const rows = [
    h("tr.player-row", h("th", { scope: "row" }, t("player_row")), playerCells, h("td")),
    TOTALS.map((total) => h("tr", h("th", { scope: "row" }, `${t("banker")} ${total}`), bankerCells(total))),
  ];
  const columnHead = (at) => h("th", { scope: "col" }, `${at}`);
  const head = h("tr", h("td"), [...TOTALS, t("stood")].map(columnHead));
  const against = TOTALS.filter((total) => table.against[total]);
  return panel(
    [t("table_title", { clause: tableClause }), term("table_of_play")],
    tableIn(t("table_caption"), "table of play", head, rows, { class: "play" }),
    help("table_help"),
    against.length > 0 && help("against_natural", { totals: against.join(", ") }),
  );
}

// ---------------------------------------------------------------- bets

const SIGNS = { 1: "won", 0: "is_returned", "-1": "lost" };

const standText = (bet) => t(bet.isDecided ? SIGNS[bet.expectedValue.sign] : "open");

function chances({ counts, winners }) {
  const share = (name, ways) => {
    const value = new Fraction(ways, counts.sampleSpace);
    const copy = copyButton(`${name}, ${t("probability")}`, `${value}`);
    return h("div", h("dt", name), h("dd", `${percent(value)} %`, copy));
  };
  const results = ["player", "banker", "tie"].map((winner) => share(t(winner), winners[winner]));
  return h("dl.chances", results, counts.void > 0 && share(t("void_rounds"), counts.void));
}

function betsFromHere(app, known) {
  const onLayout = new Set(betsOn(app.model.game, app.state.layout).map((bet) => bet.id));
  const columns = [
    betColumn(),
    column("stand", standText),
    numbers("wins", (bet) => percent(bet.hitFrequency), { class: "wide", term: "wins" }),
    numbers("returned", (bet) => percent(bet.returned), { class: "wide", term: "returned" }),
    ...valueColumns(),
    clauseColumn((bet) => bet.bet.settled),
  ];
  const bets = known.bets
    .filter((bet) => onLayout.has(bet.id))
    .map((bet) => ({ ...bet, favoursPlayer: bet.favoursPlayer && !bet.isDecided }));
  return panel(
    t("open_bets"),
    chances(known),
    stayNote(app, "stay_one_round"),
    tableOf(t("open_caption"), "open bets", columns, bets, {
      row: (bet) => ({
        class: bet.isDecided ? "decided" : bet.favoursPlayer && "favours",
        "data-bet": bet.id,
      }),
      exact: exactBets(app, known.counts),
    }),
  );
}

function offers(app, known) {
  const { game, counts } = app.model;
  if (!game.terms) return null;
  const byTotals = insuranceByTotals(game, app.state.shoe, known.insurance);
  const states = known.insurance.flatMap((state, number) => [
    { ...byTotals[number], known: t("by_totals"), sampleSpace: counts.sampleSpace },
    { ...state, known: t("by_cards"), sampleSpace: known.counts.sampleSpace },
  ]);
  const columns = [
    nameColumn("hand", (state) => t(state.side), clauseOf, { term: "insurance" }),
    column("known_by", (state) => state.known, { term: "by_totals" }),
    ...stateColumns,
  ];
  const keyOf = (state) => `${state.known} ${state.table.key}`;
  const nameOf = (state) => `${t(state.side)}, ${state.known}`;
  const exact = exactStates(app, keyOf, nameOf, (state) => state.sampleSpace);
  const open = states.filter((state) => state.expectedValue);
  const shown = () => tableOf(t("offer_caption"), "offers", columns, open, { exact });
  const title = h("h2", t("offer_title"));
  return h("section#offers.panel", title, states.length ? shown() : h("p", t("offer_none")));
}

// ---------------------------------------------------------------- stakes

const AMOUNT_BOX = { inputmode: "decimal", maxlength: "25", class: "amount" };

function stakeField(app, label, key, group) {
  const stakes = app.state[group];
  const set = (text) => {
    const { [key]: _, ...others } = stakes;
    app.update({ [group]: text.trim() ? { ...others, [key]: text.trim() } : others });
  };
  return field(label, `${group} ${key}`, Object.hasOwn(stakes, key) ? stakes[key] : "", set, AMOUNT_BOX);
}

function stakeAmount(text, name) {
  const amount = parsedFraction(text);
  if (!amount || amount.sign <= 0) refuse("bad_amount", { what: name });
  return amount;
}

const stakeAmounts = (texts, nameOf) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, stakeAmount(text, nameOf(key))]));

const signed = (net) => (net.sign > 0 ? `+${money(net)}` : money(net));

const LINE_COLUMNS = [
  column("bet", (line) => line.name, { isName: true }),
  numbers("stake", (line) => money(line.stake)),
  column("outcome", (line) => line.outcome),
  column("odds", (line) => line.odds || "–"),
  column("result", (line) => t(line.stays ? "stays_on" : SIGNS[line.net.sign])),
  numbers("net", (line) => signed(line.net), { class: "strong", term: "net" }),
  column("clause", (line) => line.clause),
];

function linesTable({ lines, staked, net }) {
  const cells = [money(staked), "", "", "", signed(net), ""].map((text) => h("td.n", text));
  const last = h("tr.total", h("th", { scope: "row" }, t("total")), cells);
  return tableOf(t("settled"), "settlement", LINE_COLUMNS, lines, { class: "settlement", last });
}

// The settlement of the stakes; the reason where they are refused; nothing while the round goes on.
function settlementOf(app, now, isVoid) {
  const { stakes, insured, layout } = app.state;
  const { game } = app.model;
  if (!Object.keys(stakes).length && !Object.keys(insured).length) return null;
  try {
    const typed = MAXIMA.filter(([, key]) => app.state[key]);
    const maxima = Object.fromEntries(
      typed.map(([of, key, name]) => [of, stakeAmount(app.state[key], t(name))]),
    );
    const amounts = stakeAmounts(stakes, (id) => game.bet(id).name);
    const taken = stakeAmounts(insured, (key) => insuranceName(...key.split("@")));
    if (!now.isOver && !isVoid) return null;
    return linesTable(settlement(game, now, amounts, taken, { maxima, layout, isVoid }));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return h("p.refused", { role: "alert" }, error.message);
  }
}

// The bets of the layout, and other bets that have a stake, so that it can be removed.
function stakedBets({ model, state }) {
  const offered = new Set(betsOn(model.game, state.layout));
  const nameOf = (bet) =>
    offered.has(bet) ? bet.name : t("not_here", { bet: bet.name, layout: state.layout });
  const bets = model.game.bets.filter((bet) => offered.has(bet) || Object.hasOwn(state.stakes, bet.id));
  return bets.map((bet) => [bet.id, nameOf(bet)]);
}

function stakesPanel(app, now, isVoid) {
  const { game } = app.model;
  const bets = stakedBets(app).map(([id, name]) => stakeField(app, name, id, "stakes"));
  const insurance = (game.terms ? game.insurance : []).map(({ side, stage, key }) =>
    stakeField(app, t("insure", { what: insuranceName(side, stage) }), key, "insured"),
  );
  const maxima = MAXIMA.filter(([of]) => game.limits.some((limit) => limit.of === of)).map(([, key, name]) =>
    field(t(name), key, app.state[key], (text) => app.update({ [key]: text.trim() }), AMOUNT_BOX),
  );
  return panel(
    t("stakes_title"),
    help("stakes_help"),
    settlementOf(app, now, isVoid),
    h("div.stakes", bets, insurance, maxima),
  );
}

export function roundView(app) {
  const now = dealtRound(app.model.game, app.state.round);
  const known = roundInProgress(app.model.game, app.state.shoe, now);
  return h(
    "div.columns.round",
    h("div.deal-place", dealPanel(app, known)),
    h("div.bets-place", offers(app, known), betsFromHere(app, known), stakesPanel(app, now, known.isVoid)),
    h("div.play-place", playTable(app, now)),
  );
}

export function announceRound(app) {
  const now = dealtRound(app.model.game, app.state.round);
  const left = minus(app.state.shoe, app.state.round);
  const cards = (hand) => now[hand].map((rank) => RANKS[rank]).join(" ") || t("no_cards");
  const dealt = `${t("player_hand")} ${cards("player")}, ${t("banker_hand")} ${cards("banker")}`;
  announce(t("announce_round", { dealt, next: nextSentences(app, now, left).join(" ") }));
}
