// A game: a rule book's data with its odds and points parsed; and the same game with other odds.

import { BANKER, HANDS, PLAYER, tableOfPlay } from "./table_of_play.js";
import { ONE, ZERO } from "./fraction.js";
import { PUSH, netOf, parsedPoints, partOf, withCommission } from "./odds.js";
import { firstFourOf } from "./walk.js";

export const FOUR_CARDS = "four-cards";
export const THIRD_CARD = "player-third-card";
export const STAGES = [FOUR_CARDS, THIRD_CARD];
export const CARD_TO_COME = "card-to-come";

// The table maxima that limits may need: the limit's word, the key of the state, the text.
export const MAXIMA = [
  ["table-maximum", "maximum", "table_maximum"],
  ["maximum-differential", "differential", "maximum_differential"],
];

// A result by its number: points and number of cards of both hands.
function result(number) {
  const [player_points, banker_points] = [Math.floor(number / 40), Math.floor(number / 4) % 10];
  const [player_cards, banker_cards] = [2 + (Math.floor(number / 2) % 2), 2 + (number % 2)];
  const winner = player_points === banker_points ? "tie" : player_points > banker_points ? PLAYER : BANKER;
  const player_natural = player_cards === 2 && player_points >= 8;
  const banker_natural = banker_cards === 2 && banker_points >= 8;
  const ofWinner = (ours, theirs) => (winner === "tie" ? null : winner === PLAYER ? ours : theirs);
  return {
    player_points,
    banker_points,
    player_cards,
    banker_cards,
    winner,
    winning_points: ofWinner(player_points, banker_points),
    losing_points: ofWinner(banker_points, player_points),
    winning_cards: ofWinner(player_cards, banker_cards),
    losing_cards: ofWinner(banker_cards, player_cards),
    total_points: player_points + banker_points,
    margin: Math.abs(player_points - banker_points),
    cards: player_cards + banker_cards,
    natural: player_natural || banker_natural,
    player_natural,
    banker_natural,
  };
}

export const RESULTS = Array.from({ length: 400 }, (_, number) => result(number));

const THIRD_FACTS = ["player_third", "banker_third"];
const RANK_FACTS = ["player_pair_of", "banker_pair_of"];
const RESULT_FACTS = [...Object.keys(RESULTS[0]), ...THIRD_FACTS];
const PLAYER_WINS = RESULTS[40]; // 1 to 0: every fact that can be a number is one
const NUMBER_FACTS = RESULT_FACTS.filter((fact) => typeof PLAYER_WINS[fact] === "number");
const FIRST_FOUR_FACTS = Object.keys(firstFourOf(0));

// The number of the result of a course.
export function resultOf({ player, banker, playerThird, bankerThird }) {
  const points = (total, third) => (total + (third ?? 0)) % 10;
  const totals = points(player, playerThird) * 10 + points(banker, bankerThird);
  return totals * 4 + 2 * Number(playerThird !== null) + Number(bankerThird !== null);
}

// The values that a case accepts for a fact; null stands for no third card.
function accepted(fact, written) {
  if (NUMBER_FACTS.includes(fact)) return parsedPoints(written);
  if (!THIRD_FACTS.includes(fact)) return Array.isArray(written) ? written : [written];
  return `${written}`.split(",").flatMap((part) => (part === "none" ? [null] : parsedPoints(part)));
}

// The facts that a case names, each with the values that it accepts.
const factsOf = (table) =>
  [...RESULT_FACTS, ...FIRST_FOUR_FACTS]
    .filter((fact) => table[fact] !== undefined)
    .map((fact) => [fact, accepted(fact, table[fact])]);

// Whether a line covers a course with a match of its first four cards, computed once. A line that names no
// third card covers all courses to a result, one that names no pair all matches.
function coverage(facts, exceptions, namesThird, namesFirstFour) {
  const known = new Map();
  return (course, match) => {
    const key = (namesThird ? course.number : resultOf(course)) * 10000 + (namesFirstFour ? match : 0);
    if (!known.has(key)) {
      const thirds = { player_third: course.playerThird, banker_third: course.bankerThird };
      const records = [RESULTS[resultOf(course)], thirds, namesFirstFour ? firstFourOf(match) : {}];
      const found = (fact) => records.find((record) => fact in record)[fact];
      const holds = (some) => some.every(([fact, values]) => values.includes(found(fact)));
      known.set(key, holds(facts) && !exceptions.some(holds));
    }
    return known.get(key);
  };
}

// A line of a pay table.
function lineFrom(pay) {
  const facts = factsOf(pay);
  const exceptions = (pay.except ?? []).map(factsOf);
  const named = [facts, ...exceptions].flat().map(([fact]) => fact);
  const names = (some) => some.some((fact) => named.includes(fact));
  const namesFirstFour = names(FIRST_FOUR_FACTS);
  const odds = withCommission(pay.odds, pay.commission);
  return {
    name: pay.name ?? "",
    odds,
    net: netOf(odds),
    clause: pay.clause ?? "",
    namesResult: names(RESULT_FACTS),
    namesFirstFour,
    namesRanks: names(RANK_FACTS),
    covers: coverage(facts, exceptions, names(THIRD_FACTS), namesFirstFour),
  };
}

const betFrom = (bet) => ({
  ...bet,
  hand: bet.hand ?? null,
  rest: bet.otherwise === PUSH ? ZERO : ONE.negated,
  lines: bet.pays.map(lineFrom),
});

function offerFrom(offer, index) {
  return {
    index,
    odds: offer.odds,
    net: netOf(offer.odds),
    clause: offer.clause ?? "",
    player: parsedPoints(offer.player_points),
    banker: parsedPoints(offer.banker_points),
    tiePays: offer.tie_pays === undefined ? [] : parsedPoints(offer.tie_pays),
  };
}

const insuranceKey = ({ side, stage }) => `${side}@${stage}`;

const tableFrom = (table) => ({ ...table, key: insuranceKey(table), lines: table.offers.map(offerFrom) });

const limitFrom = (limit) => ({
  ...limit,
  part: partOf(limit.share),
  net: limit.odds ? netOf(limit.odds) : null,
});

// Every insurance state of a table.
const states = (table) =>
  table.lines.flatMap((offer) =>
    offer.player.flatMap((player) =>
      offer.banker.map((banker) => ({ side: table.side, stage: table.stage, player, banker, offer, table })),
    ),
  );

// The game of a rule book; `common`: the Table of Play of a rule book without one.
export function gameFrom(book, common) {
  const insurance = (book.insurance ?? []).map(tableFrom);
  const terms = book.insurance_terms ?? null;
  const bets = book.bets.map(betFrom);
  const betOn = (hand) =>
    bets.find((bet) => bet.hand === hand) ?? bets.find((bet) => !bet.hand && bet.id === hand) ?? null;
  const table = tableOfPlay(book.table_of_play ?? common);
  return {
    book,
    id: book.id,
    name: book.name,
    bets,
    ranks: bets.some((bet) => bet.lines.some((line) => line.namesRanks)),
    table,
    tableClause: book.table_of_play?.clause ?? book.clauses.table_of_play,
    stoodClause: book.table_of_play?.stood_clause ?? book.clauses.third_cards,
    voidBets: book.void.bets,
    practice: book.practice ?? {},
    insurance,
    terms,
    opens: terms?.open ?? CARD_TO_COME,
    limits: (terms?.limits ?? []).map(limitFrom),
    states: terms ? insurance.flatMap(states) : [],
    insuredBet: Object.fromEntries(HANDS.map((hand) => [hand, betOn(hand)])),
    bet: (id) => bets.find((bet) => bet.id === id) ?? null,
    insuranceTable: (key) => insurance.find((one) => one.key === key) ?? null,
  };
}

export const betsOn = (game, layout) => game.bets.filter((bet) => !layout || bet.layouts.includes(layout));

export const isChanged = (changes) => Object.keys(changes).length > 0;

// The rule book with other odds by line: "tie:0" of a bet, "player@four-cards:0" of insurance.
export function changedBook(book, changes) {
  const changed = structuredClone(book);
  for (const [key, odds] of Object.entries(changes)) {
    const [id, index] = key.split(":");
    const pays = changed.bets.find((bet) => bet.id === id)?.pays;
    const line = (pays ?? changed.insurance.find((table) => insuranceKey(table) === id).offers)[index];
    line.odds = odds;
    delete line.commission; // typed odds are net of commission
  }
  return changed;
}
