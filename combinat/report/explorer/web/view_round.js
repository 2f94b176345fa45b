// A round dealt card by card: who draws and why, what bets are worth from here, insurance, settlement.

import { RANKS, minus, pointsOf, size } from "./cards.js";
import { randomCard } from "./chance.js";
import { button, field, h, tableIn } from "./dom.js";
import { Fraction, money, parsedFraction, percent, signedPercent } from "./fraction.js";
import { MAXIMA, betsOn } from "./game.js";
import { RoundError, StakeError, dealtRound, insuranceByTotals, insuranceName, roundInProgress, settlement } from "./round.js";
import { announce } from "./messages.js";
import { clauseBelow, column, copyButton, exactButton, exactFigures, exactHead, exactState, fairText, favourMark, moreRow, term } from "./parts.js";
import { stayNote } from "./staying.js";
import { STOOD, reason } from "./table_of_play.js";
import { many, t } from "./texts.js";

const opened = new Set(); // the bets whose exact figures are open

// ---------------------------------------------------------------- dealing

const VOID_BETS = { returned: "void_returned", "decided-stand": "void_decided", stay: "void_stay" };

function nextWords(app, now, left) {
  const { game } = app.model;
  const clauses = app.model.entry.book.clauses;
  const values = { player: now.playerTotal, banker: now.bankerTotal };
  const over = () => {
    const won = now.playerTotal > now.bankerTotal ? "player_wins" : now.playerTotal < now.bankerTotal ? "banker_wins" : "tie_on";
    return t("over", { result: t(won, values) });
  };
  if (!now.isOver && !size(left)) return [t("void_round", { clause: app.model.entry.book.void.clauses.join(", "), bets: t(VOID_BETS[game.voidBets]) })];
  if (now.player.length < 2 || now.banker.length < 2) return [t("first_four", { clause: clauses.deal })];
  if (now.banker.length === 3) return [t("why_last", { clause: game.tableClause }), over()];
  const decided = reason(game.table, pointsOf(now.player), pointsOf(now.banker));
  const clause = decided.why === "natural" ? clauses.natural : decided.why === "against_natural" || decided.why.startsWith("stood") ? game.stoodClause : game.tableClause;
  return [t(`why_${decided.why}`, { ...decided, clause }), now.isOver && over()].filter(Boolean);
}

function handOf(title, cards, total, isNext) {
  const shown = cards.map((rank) => h("li", { class: "card", "aria-label": t("card", { rank: RANKS[rank] }) }, RANKS[rank]));
  return h(
    "div",
    { class: isNext ? "hand next" : "hand" },
    h("h3", null, title),
    cards.length ? h("ul", { class: "cards" }, shown) : h("p", { class: "help" }, t("no_cards")),
    h("p", { class: "big" }, cards.length ? many("point", "points", total) : "–"),
  );
}

function dealPanel(app, now, left) {
  const deal = (rank) => app.update({ round: [...app.state.round, rank] });
  const dealOn = (cards) => {
    let [round, rest] = [[...app.state.round], left];
    for (let dealt = 0; dealt < cards && size(rest) && !dealtRound(app.model.game, round).isOver; dealt += 1) {
      const rank = randomCard(rest);
      round = [...round, rank];
      rest = minus(rest, [rank]);
    }
    app.update({ round });
  };
  const canDeal = !now.isOver && size(left) > 0;
  const nextRound = () => app.update({ shoe: left, round: [] });
  return h(
    "section",
    { class: "panel", "aria-labelledby": "round-title" },
    h("h2", { id: "round-title" }, t("round_title")),
    h("div", { class: "hands" }, handOf(t("player_hand"), now.player, now.playerTotal, now.next === "player"), handOf(t("banker_hand"), now.banker, now.bankerTotal, now.next === "banker")),
    h("div", { class: "said", id: "next" }, nextWords(app, now, left).map((words) => h("p", null, words))),
    canDeal && h("p", { class: "strong" }, t("deal_to", { hand: t(`${now.next}_hand`) })),
    h("p", { class: "help" }, t("round_help")),
    h(
      "ul",
      { class: "deal" },
      RANKS.map((name, rank) => h("li", null, button([name, h("small", { "aria-hidden": "true" }, `${left[rank]}`)], () => deal(rank), { class: "rank", disabled: !canDeal || !left[rank], "aria-label": t("deal_card", { rank: name, n: left[rank] }), "data-key": `deal ${rank}` }))),
    ),
    h(
      "div",
      { class: "row" },
      button(t("deal_one"), () => dealOn(1), { disabled: !canDeal, "data-key": "random card" }),
      button(t("deal_all"), () => dealOn(6), { disabled: !canDeal, "data-key": "random all" }),
      button(t("take_back"), () => app.update({ round: app.state.round.slice(0, -1) }), { disabled: !app.state.round.length, "data-key": "take back" }),
      button(t("clear_round"), () => app.update({ round: [] }), { disabled: !app.state.round.length, "data-key": "clear round" }),
      button(t("next_round"), nextRound, { disabled: !now.isOver, title: t("next_round_help"), "data-key": "next round" }),
    ),
  );
}

// ---------------------------------------------------------------- the Table of Play

// The cell of the Table of Play that decides about the next card: a column, and a row or the Player's.
function litCell(game, now) {
  if (now.player.length < 2 || now.banker.length < 2 || now.banker.length === 3) return null;
  const decided = reason(game.table, pointsOf(now.player), pointsOf(now.banker));
  if (decided.why.endsWith("natural")) return game.table.natural[now.playerTotal] && now.player.length === 2 ? { row: "player", column: now.playerTotal } : { row: now.bankerTotal, column: NATURAL };
  if (decided.why === "player_draws") return { row: "player", column: decided.player };
  return { row: decided.banker, column: decided.third };
}

function cell(draws, natural, isLit) {
  const words = natural ? t("natural") : draws ? t("draws") : t("stands");
  const sign = natural ? "N" : draws ? "D" : "–";
  return h(
    "td",
    { class: `cell ${natural ? "natural" : draws ? "draws" : "stands"}${isLit ? " lit" : ""}` },
    h("span", { "aria-hidden": "true" }, sign),
    h("span", { class: "unseen" }, isLit ? `${words}, ${t("here")}` : words),
  );
}

const NATURAL = "natural"; // the one column of a Banker's natural

function bankerCells(table, total, totals, isLit) {
  if (!table.natural[total]) return [...totals, STOOD].map((at) => cell(table.banker[total][at], false, isLit(total, at)));
  const one = cell(false, true, isLit(total, NATURAL));
  one.setAttribute("colspan", `${totals.length + 1}`);
  return [one];
}

function playTable(app, now) {
  const { game } = app.model;
  const { table } = game;
  const lit = litCell(game, now);
  const totals = Array.from({ length: 10 }, (_, total) => total);
  const against = totals.filter((total) => table.against[total]);
  const isLit = (row, at) => lit !== null && lit.row === row && lit.column === at;
  const rows = totals.map((total) => h("tr", null, h("th", { scope: "row" }, `${t("banker_total")} ${total}`), bankerCells(table, total, totals, isLit)));
  const playerRow = h("tr", { class: "player-row" }, h("th", { scope: "row" }, t("player_row")), totals.map((total) => cell(table.player[total], table.natural[total], isLit("player", total))), h("td", null, ""));
  const head = h("tr", null, h("td", null), totals.map((at) => h("th", { scope: "col" }, `${at}`)), h("th", { scope: "col" }, t("stood")));
  return h("section", { class: "panel" }, h("h2", null, t("table_title", { clause: game.tableClause }), term("table_of_play")), tableIn(t("table_caption"), "table of play", head, [playerRow, ...rows], { class: "play" }), h("p", { class: "help" }, t("table_help")), against.length ? h("p", { class: "help" }, t("against_natural", { totals: against.join(", ") })) : null);
}

// ---------------------------------------------------------------- what bets are worth

const standText = (bet) => t(!bet.isDecided ? "open" : bet.expectedValue.sign > 0 ? "won" : bet.expectedValue.sign < 0 ? "lost" : "is_returned");

function openBets(app, known) {
  const onLayout = new Set(betsOn(app.model.game, app.state.layout).map((bet) => bet.id));
  const rows = known.bets.filter((bet) => onLayout.has(bet.id)).flatMap((bet) => {
    const gains = bet.favoursPlayer && !bet.isDecided;
    const row = h(
      "tr",
      { class: gains ? "favours" : bet.isDecided ? "decided" : null, "data-bet": bet.id },
      h("th", { scope: "row" }, bet.name, gains && favourMark(), clauseBelow(bet.bet.settled)),
      h("td", null, standText(bet)),
      h("td", { class: "n" }, percent(bet.hitFrequency)),
      h("td", { class: "n wide" }, percent(bet.returned)),
      h("td", { class: "n strong" }, signedPercent(bet.expectedValue)),
      h("td", { class: "wide" }, bet.bet.settled),
      h("td", { class: "n" }, exactButton(app, opened, bet.id, bet.name)),
    );
    return opened.has(bet.id) ? [row, moreRow(7, exactFigures(bet, known.counts.sampleSpace))] : [row];
  });
  const head = h("tr", null, column(t("bet")), column(t("stand")), column(t("wins"), "wins", { class: "n" }), column(t("returned"), "returned", { class: "n wide" }), column(t("ev"), "expected_value", { class: "n" }), column(t("clause"), null, { class: "wide" }), exactHead());
  return h("section", { class: "panel" }, h("h2", null, t("open_bets")), chances(known), stayNote(app, "stay_one_round"), tableIn(t("open_caption"), "open bets", head, rows));
}

function chances(known) {
  const { sampleSpace } = known.counts;
  const share = (name, ways) => {
    const value = new Fraction(ways, sampleSpace);
    return h("div", null, h("dt", null, name), h("dd", null, `${percent(value)} %`, copyButton(`${name}, ${t("probability")}`, `${value}`)));
  };
  return h("dl", { class: "chances" }, share(t("player"), known.winners.player), share(t("banker"), known.winners.banker), share(t("tie"), known.winners.tie), known.counts.void ? share(t("void_rounds"), known.counts.void) : null);
}

// ---------------------------------------------------------------- insurance

function offerRows(app, state, words, sampleSpace) {
  const key = `${words} ${state.table.key}`;
  const row = h(
    "tr",
    { class: state.favoursPlayer ? "favours" : null },
    h("th", { scope: "row" }, t(state.side), state.favoursPlayer && favourMark(), clauseBelow(state.offer.clause || state.table.settled)),
    h("td", null, words),
    h("td", { class: "o" }, state.offer.odds),
    h("td", { class: "n strong" }, signedPercent(state.expectedValue)),
    h("td", { class: "n wide" }, percent(state.wins)),
    h("td", { class: "n wide" }, percent(state.pushes)),
    h("td", { class: "n wide" }, fairText(state.fairOdds)),
    h("td", { class: "wide" }, state.offer.clause || state.table.settled),
    h("td", { class: "n" }, exactButton(app, opened, key, `${t(state.side)}, ${words}`)),
  );
  return opened.has(key) ? [row, moreRow(9, exactState(state, sampleSpace))] : [row];
}

function offers(app, known) {
  const { game, counts } = app.model;
  if (!game.terms) return null;
  const byTotals = insuranceByTotals(game, app.state.shoe, known.insurance);
  const rows = known.insurance.flatMap((state, number) => [
    ...(byTotals[number].expectedValue ? offerRows(app, byTotals[number], t("by_totals"), counts.sampleSpace) : []),
    ...offerRows(app, state, t("by_cards"), known.counts.sampleSpace),
  ]);
  const head = h("tr", null, column(t("hand"), "insurance"), column(t("known_by"), "by_totals"), column(t("pays")), column(t("ev"), "expected_value", { class: "n" }), column(t("wins"), null, { class: "n wide" }), column(t("returned"), null, { class: "n wide" }), column(t("fair"), "fair_odds", { class: "n wide" }), column(t("clause"), null, { class: "wide" }), exactHead());
  return h("section", { class: "panel", id: "offers" }, h("h2", null, t("offer_title")), rows.length ? tableIn(t("offer_caption"), "offers", head, rows) : h("p", null, t("offer_none")));
}

// ---------------------------------------------------------------- stakes

function stakeField(app, label, key, group) {
  const set = (text) => {
    const others = { ...app.state[group] };
    delete others[key];
    app.update({ [group]: text.trim() ? { ...others, [key]: text.trim() } : others });
  };
  return field(label, `${group} ${key}`, Object.hasOwn(app.state[group], key) ? app.state[group][key] : "", set, { inputmode: "decimal", maxlength: "25", class: "amount" });
}

const readAmounts = (given, nameOf = (key) => key) =>
  Object.fromEntries(
    Object.entries(given).map(([key, text]) => {
      const amount = parsedFraction(text);
      if (!amount || amount.sign <= 0) throw new StakeError(t("bad_amount", { what: nameOf(key) }));
      return [key, amount];
    }),
  );

function settledTable(app, now, isVoid) {
  const { stakes, insured, layout } = app.state;
  const { game } = app.model;
  if (!Object.keys(stakes).length && !Object.keys(insured).length) return null;
  try {
    const maxima = Object.fromEntries(MAXIMA.filter(([, key]) => app.state[key]).map(([of, key, name]) => [of, readAmounts({ [t(name)]: app.state[key] })[t(name)]]));
    const amounts = readAmounts(stakes, (id) => game.bet(id).name);
    const taken = readAmounts(insured, (key) => insuranceName(...key.split("@")));
    if (!now.isOver && !isVoid) return null;
    const settled = settlement(game, now, amounts, taken, { maxima, layout, isVoid });
    const signed = (net) => (net.sign > 0 ? `+${money(net)}` : money(net));
    const result = (line) => t(line.stays ? "stays_on" : line.net.sign > 0 ? "won" : line.net.sign < 0 ? "lost" : "is_returned");
    const rows = settled.lines.map((line) => h("tr", null, h("th", { scope: "row" }, line.name), h("td", { class: "n" }, money(line.stake)), h("td", null, line.outcome), h("td", null, line.odds || "–"), h("td", null, result(line)), h("td", { class: "n strong" }, signed(line.net)), h("td", null, line.clause)));
    const total = h("tr", { class: "total" }, h("th", { scope: "row" }, t("total")), h("td", { class: "n" }, money(settled.staked)), h("td"), h("td"), h("td"), h("td", { class: "n strong" }, signed(settled.net)), h("td"));
    const head = h("tr", null, column(t("bet")), column(t("stake"), null, { class: "n" }), column(t("outcome")), column(t("odds")), column(t("result")), column(t("net"), "net", { class: "n" }), column(t("clause")));
    return tableIn(t("settled"), "settlement", head, [...rows, total], { class: "settlement" });
  } catch (error) {
    if (error instanceof StakeError || error instanceof RoundError) return h("p", { class: "refused", role: "alert" }, error.message);
    throw error;
  }
}

// The bets that can be staked on: those of the layout, and others while a stake lies on them, so that it can be taken off.
function stakedBets(app) {
  const { game } = app.model;
  const { layout, stakes } = app.state;
  const offered = new Set(betsOn(game, layout));
  return game.bets.filter((bet) => offered.has(bet) || Object.hasOwn(stakes, bet.id)).map((bet) => [bet, offered.has(bet) ? bet.name : t("not_here", { bet: bet.name, layout })]);
}

function stakesPanel(app, now, isVoid) {
  const { game } = app.model;
  const insurance = game.terms ? game.insurance.map((table) => stakeField(app, t("insure", { what: insuranceName(table.side, table.stage) }), table.key, "insured")) : [];
  const asked = MAXIMA.filter(([of]) => game.limits.some((limit) => limit.of === of));
  const maxima = asked.map(([, key, name]) => field(t(name), key, app.state[key], (text) => app.update({ [key]: text.trim() }), { inputmode: "decimal", maxlength: "25", class: "amount" }));
  return h(
    "section",
    { class: "panel" },
    h("h2", null, t("stakes_title")),
    h("p", { class: "help" }, t("stakes_help")),
    settledTable(app, now, isVoid),
    h("div", { class: "stakes" }, stakedBets(app).map(([bet, name]) => stakeField(app, name, bet.id, "stakes")), insurance, maxima),
  );
}

export function roundView(app) {
  const now = dealtRound(app.model.game, app.state.round);
  const known = roundInProgress(app.model.game, app.state.shoe, now);
  return h("div", { class: "columns" }, h("div", null, dealPanel(app, now, known.left), playTable(app, now)), h("div", null, offers(app, known), openBets(app, known), stakesPanel(app, now, known.isVoid)));
}

export function saidOfRound(app) {
  const now = dealtRound(app.model.game, app.state.round);
  const left = minus(app.state.shoe, app.state.round);
  const dealt = `${t("player_hand")} ${now.player.map((rank) => RANKS[rank]).join(" ") || t("no_cards")}, ${t("banker_hand")} ${now.banker.map((rank) => RANKS[rank]).join(" ") || t("no_cards")}`;
  announce(t("said_round", { dealt, next: nextWords(app, now, left).join(" ") }));
}
