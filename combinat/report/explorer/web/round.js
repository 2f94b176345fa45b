// A round in progress, and the settlement of a finished round.

import { ZERO, money } from "./fraction.js";
import { formattedCards, minus, pointTotal, pointsOf, size } from "./cards.js";
import { betAnalysis, decidedNet, staysOnTie } from "./bets.js";
import { RESULTS, resultOf } from "./game.js";
import {
  amountOf,
  insuranceAnalysis,
  insuranceSign,
  limitsInForce,
  needsMaximum,
  openAnalysis,
  openStates,
  roomIn,
  stageOf,
} from "./insurance.js";
import { nextHand, otherHand } from "./table_of_play.js";
import { refuse, t } from "./texts.js";
import { countsFor, courseWith, matchOf } from "./walk.js";

// The state of a round: the cards and total of each hand, the next hand, and the insurance stage.
export function standing(game, player, banker) {
  const [ours, theirs] = [pointsOf(player), pointsOf(banker)];
  const next = nextHand(game.table, ours, theirs);
  return {
    player,
    banker,
    next,
    isOver: next === null,
    stage: stageOf(player, banker),
    playerTotal: pointTotal(ours),
    bankerTotal: pointTotal(theirs),
  };
}

const withCard = (game, { player, banker, next }, rank) =>
  next === "player" ? standing(game, [...player, rank], banker) : standing(game, player, [...banker, rank]);

// The round of these cards in the order of the deal; refused if cards follow its end.
export function dealtRound(game, cards) {
  let now = standing(game, [], []);
  for (const rank of cards) {
    if (now.isOver)
      refuse("round_over", { player: formattedCards(now.player), banker: formattedCards(now.banker) });
    now = withCard(game, now, rank);
  }
  return now;
}

// The round of two hands; refused if the Table of Play cannot deal them.
export function roundOf(game, player, banker) {
  if (player.length > 3 || banker.length > 3) refuse("hand_too_long");
  const now = standing(game, player, banker);
  if (player.length < 3 && banker.length < 3) return now;
  if (player.length < 2 || banker.length < 2) refuse("four_first");
  const four = standing(game, player.slice(0, 2), banker.slice(0, 2));
  const five = standing(game, player, banker.slice(0, 2));
  const draws = (hand) => ({ hand: t(hand), clause: game.tableClause });
  if (player.length === 3 && four.next !== "player") refuse("does_not_draw", draws("player_hand"));
  if (banker.length === 3 && five.next !== "banker") refuse("does_not_draw", draws("banker_hand"));
  return now;
}

// The figures of a round in progress; `shoe` includes the cards on the table.
export function roundInProgress(game, shoe, now) {
  const left = minus(shoe, [...now.player, ...now.banker]);
  const counts = countsFor(game, left, now.player, now.banker);
  const winners = { player: 0n, banker: 0n, tie: 0n };
  for (const [course, ways] of counts.byPoints)
    if (!course.isVoid) winners[RESULTS[resultOf(course)].winner] += ways;
  return {
    now,
    left,
    counts,
    winners,
    isVoid: !now.isOver && size(left) === 0,
    bets: game.bets.map((bet) => betAnalysis(game, bet, counts)),
    insurance: openAnalysis(openStates(game, now), counts),
  };
}

// The same insurance given the totals alone, on the shoe before the round.
export const insuranceByTotals = (game, shoe, open) =>
  insuranceAnalysis({ ...game, states: open }, countsFor(game, shoe));

// ---------------------------------------------------------------- settlement

function betLine(game, bet, stake, course, match) {
  const line = bet.lines.find((one) => one.covers(course, match));
  const net = stake.times(line ? line.net : bet.rest);
  const [name, odds] = bet.rest.sign ? ["loses", ""] : ["returned", "push"];
  const outcome = line ? line.name || "wins" : name;
  const isTie = RESULTS[resultOf(course)].winner === "tie";
  const stays = isTie && !net.sign && staysOnTie(game, bet);
  return {
    id: bet.id,
    name: bet.name,
    stake,
    outcome: stays ? t("stays", { outcome }) : outcome,
    stays,
    odds: line?.odds ?? odds,
    net,
    clause: line?.clause || bet.settled,
  };
}

// The name of an insurance bet.
export const insuranceName = (hand, stage) => t("insurance_name", { hand: t(hand), stage: t(stage) });

const nameOfKey = (key) => insuranceName(...key.split("@"));

// An insurance bet of a round; refused if it was not on offer.
function takenBet(game, now, key, stake) {
  const what = nameOfKey(key);
  if (!game.terms) refuse("offers_none", { what, game: game.name });
  if (stake.sign <= 0) refuse("stake_positive", { what, stake: money(stake) });
  const table = game.insuranceTable(key);
  if (!table) refuse("no_such_insurance", { what, game: game.name });
  const isFour = table.stage === "four-cards";
  const player = now.player.slice(0, isFour ? 2 : 3);
  const isMissing = isFour ? player.length + now.banker.length < 4 : player.length < 3;
  if (isMissing) refuse(isFour ? "no_four_cards" : "no_third_card", { what, clause: table.settled });
  const moment = standing(game, player, now.banker.slice(0, 2));
  const open = openStates(game, moment).find((state) => state.side === table.side);
  if (!open) {
    const totals = t("totals_of", { player: moment.playerTotal, banker: moment.bankerTotal });
    const why = t(moment.isOver ? "no_card_to_come" : "not_listed");
    refuse("not_on_offer", { what, totals, why, clause: table.settled });
  }
  const { offer } = open;
  return { key, name: what, hand: table.side, stake, table, offer, net: offer.net };
}

// The stake that an insurance bet insures: on its own hand, or on the other if either hand may be insured.
function originalBet(game, bet, stakes) {
  const [own, other] = [game.insuredBet[bet.hand], game.insuredBet[otherHand(bet.hand)]];
  if (Object.hasOwn(stakes, own.id)) return stakes[own.id];
  if (game.practice.insured_hand === "either" && other && Object.hasOwn(stakes, other.id))
    return stakes[other.id];
  return refuse("nothing_insured", { what: bet.name, bet: own.name, clauses: game.terms.clauses.join("; ") });
}

// `maxima`: the maxima of the table, by the name that limits give them.
function checkLimits(game, taken, maxima) {
  for (const limit of limitsInForce(game.limits)) {
    for (const bet of taken) {
      const { share, clause } = limit;
      const values = { what: bet.name, odds: bet.offer.odds, share, clause, of: t(`of_${limit.of}`) };
      if (needsMaximum(limit, bet.net) && !maxima[limit.of]) refuse("needs_maximum", values);
      const others = taken.filter((other) => other !== bet);
      const room = roomIn(limit, bet, others, { "original-bet": bet.originalBet, ...maxima });
      if (!room || bet.stake.compare(room.stake) <= 0) continue;
      const used = money(room.used.plus(amountOf(limit, bet.stake, bet.net)));
      const over = { ...values, used, caps: t(`caps_${limit.caps}`), most: money(room.most) };
      refuse(room.used.sign ? "over_limit_together" : "over_limit", over);
    }
  }
}

function insuranceLine(game, bet, result) {
  const sign = insuranceSign(bet.hand, bet.offer, result);
  const { winner } = RESULTS[result];
  const tie = winner === "tie";
  const clause = tie && !sign ? game.book.clauses.tie : tie ? bet.offer.clause : "";
  return {
    id: bet.key,
    name: bet.name,
    stake: bet.stake,
    stays: false,
    outcome: tie ? "tie" : winner === bet.hand ? `${bet.hand} wins` : `${bet.hand} loses`,
    odds: sign > 0 ? bet.offer.odds : sign ? "" : "push",
    net: sign > 0 ? bet.stake.times(bet.net) : sign ? bet.stake.negated : ZERO,
    clause: clause || bet.table.settled,
  };
}

// The clauses that make an unfinished round void.
function voidClauses(book) {
  const answers = (one) => one.effect === "returned" && (one.if ?? []).includes("cards-missing");
  return ((book.procedures ?? []).find(answers)?.clauses ?? book.void.clauses).join(", ");
}

// A stake of a void round: returned, or left on the layout, or settled if it was decided.
function voidLine(game, id, name, stake, net) {
  const stays = !net.sign && game.voidBets === "stay";
  return {
    id,
    name,
    stake,
    outcome: t(net.sign ? "void_line_decided" : stays ? "void_line_stays" : "void_line"),
    stays,
    odds: "",
    net: stake.times(net),
    clause: voidClauses(game.book),
  };
}

// ---------------------------------------------------------------- a whole round

function checkStakes(bets, layout) {
  for (const [{ name }, stake] of bets) {
    if (stake.sign <= 0) refuse("stake_positive", { what: name, stake: money(stake) });
  }
  for (const [{ name, settled, layouts }] of bets) {
    if (!layout || layouts.includes(layout)) continue;
    refuse("not_on_layout", { what: name, layout, clause: settled, layouts: layouts.join(", ") });
  }
}

// Every stake of a round that is over or void, line by line: `stakes` by bet id, `insured` by "hand@stage".
// Options: `maxima` of the table, such as "table-maximum"; the `layout` in use; `isVoid` if the shoe cannot
// finish the round.
export function settlement(game, now, stakes, insured, { maxima = {}, layout = "", isVoid = false }) {
  if (!now.isOver && !isVoid) refuse("not_over");
  const bets = Object.entries(stakes).map(([id, stake]) => [game.bet(id), stake]);
  checkStakes(bets, layout);
  const taken = Object.entries(insured).map(([key, stake]) => takenBet(game, now, key, stake));
  for (const bet of taken) bet.originalBet = originalBet(game, bet, stakes);
  if (!isVoid) checkLimits(game, taken, maxima);
  const lines = isVoid ? voidLines(game, now, bets, taken) : settledLines(game, now, bets, taken);
  const total = (key) => lines.reduce((all, line) => all.plus(line[key]), ZERO);
  return { lines, staked: total("stake"), net: total("net") };
}

function settledLines(game, now, bets, taken) {
  const course = courseWith(pointsOf(now.player), pointsOf(now.banker));
  const match = matchOf(now.player, now.banker);
  return [
    ...bets.map(([bet, stake]) => betLine(game, bet, stake, course, match)),
    ...taken.map((bet) => insuranceLine(game, bet, resultOf(course))),
  ];
}

function voidLines(game, now, bets, taken) {
  const net = (bet) =>
    game.voidBets === "decided-stand" ? decidedNet(game, bet, now.player, now.banker) : ZERO;
  return [
    ...bets.map(([bet, stake]) => voidLine(game, bet.id, bet.name, stake, net(bet))),
    ...taken.map((bet) => voidLine(game, bet.key, bet.name, bet.stake, ZERO)),
  ];
}
