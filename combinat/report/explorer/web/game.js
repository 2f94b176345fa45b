// A game: a rule book as data, made ready to be asked; and the same with another reading or other odds.

import { BANKER, HANDS, PLAYER, tableOfPlay } from "./table_of_play.js";
import { copied, readOtherwise } from "./readings.js";
import { PUSH, netOf, parsedPoints, partOf } from "./odds.js";
import { firstFourOf } from "./walk.js";

export const FOUR_CARDS = "four-cards";
export const THIRD_CARD = "player-third-card";
export const STAGES = [FOUR_CARDS, THIRD_CARD];
export const CARD_TO_COME = "card-to-come";

// The maxima of a table that limits may ask for: what a limit calls it, its place in the state, its name.
export const MAXIMA = [
  ["table-maximum", "maximum", "table_maximum"],
  ["maximum-differential", "differential", "maximum_differential"],
];

const POINT_FACTS = ["winning_points", "player_points", "banker_points"];
const RESULT_FACTS = [...POINT_FACTS, "winner", "player_cards", "banker_cards", "cards", "margin"];
const FIRST_FOUR_FACTS = ["player_pair", "banker_pair", "pairs", "player_point_pair", "banker_point_pair", "point_pairs"];

// How the hands ended, by number: every result, made once.
export const resultNumber = (player, banker, playerCards, bankerCards) =>
  ((player * 10 + banker) * 2 + playerCards - 2) * 2 + bankerCards - 2;

function result(number) {
  const [player_points, banker_points] = [Math.floor(number / 40), Math.floor(number / 4) % 10];
  const [player_cards, banker_cards] = [2 + (Math.floor(number / 2) % 2), 2 + (number % 2)];
  const winner = player_points === banker_points ? "tie" : player_points > banker_points ? PLAYER : BANKER;
  return {
    player_points,
    banker_points,
    player_cards,
    banker_cards,
    winner,
    winning_points: winner === "tie" ? null : Math.max(player_points, banker_points),
    margin: Math.abs(player_points - banker_points),
    cards: player_cards + banker_cards,
  };
}

export const RESULTS = Array.from({ length: 400 }, (_, number) => result(number));

export function resultOf(course) {
  const points = (total, third) => (total + (third ?? 0)) % 10;
  return resultNumber(
    points(course.player, course.playerThird),
    points(course.banker, course.bankerThird),
    course.playerThird === null ? 2 : 3,
    course.bankerThird === null ? 2 : 3,
  );
}

const FIRST_FOURS = Array.from({ length: 36 }, (_, match) => firstFourOf(match));

function accepts(pay, facts, record) {
  return facts.every((fact) => {
    if (pay[fact] === undefined) return true;
    return POINT_FACTS.includes(fact) ? parsedPoints(pay[fact]).includes(record[fact]) : pay[fact] === record[fact];
  });
}

// A line of a pay table: which results and which matches of the first four cards it covers.
function madeLine(pay) {
  const names = (facts) => facts.some((fact) => pay[fact] !== undefined);
  return {
    name: pay.name ?? "",
    odds: pay.odds,
    net: netOf(pay.odds),
    clause: pay.clause ?? "",
    facts: pay,
    namesResult: names(RESULT_FACTS),
    namesFirstFour: names(FIRST_FOUR_FACTS),
    results: RESULTS.map((record) => accepts(pay, RESULT_FACTS, record)),
    matches: FIRST_FOURS.map((record) => accepts(pay, FIRST_FOUR_FACTS, record)),
  };
}

const madeBet = (bet) => ({ ...bet, hand: bet.hand ?? null, lines: bet.pays.map(madeLine) });

function madeOffer(offer, index) {
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

const madeTable = (table) => ({ ...table, key: `${table.side}@${table.stage}`, lines: table.offers.map(madeOffer) });

const madeLimit = (limit) => ({ ...limit, part: partOf(limit.share), net: limit.odds ? netOf(limit.odds) : null });

// Every state that an insurance table lists, line by line.
const states = (table) =>
  table.lines.flatMap((offer) =>
    offer.player.flatMap((player) =>
      offer.banker.map((banker) => ({ side: table.side, stage: table.stage, player, banker, offer, table })),
    ),
  );

// The game that a rule book states; `common`: the Table of Play of one that states none.
export function madeGame(book, common) {
  const insurance = (book.insurance ?? []).map(madeTable);
  const terms = book.insurance_terms ?? null;
  const bets = book.bets.map(madeBet);
  const betOn = (hand) => bets.find((bet) => bet.hand === hand) ?? bets.find((bet) => !bet.hand && bet.id === hand) ?? null;
  const table = tableOfPlay(book.table_of_play ?? common);
  return {
    book,
    id: book.id,
    name: book.name,
    bets,
    table,
    tableClause: book.table_of_play?.clause ?? book.clauses.table_of_play,
    stoodClause: book.table_of_play?.stood_clause ?? book.clauses.third_cards,
    voidBets: book.void.bets,
    practice: book.practice ?? {},
    insurance,
    terms,
    opens: terms?.open ?? CARD_TO_COME,
    limits: (terms?.limits ?? []).map(madeLimit),
    states: terms ? insurance.flatMap(states) : [],
    insuredBet: Object.fromEntries(HANDS.map((hand) => [hand, betOn(hand)])),
    bet: (id) => bets.find((bet) => bet.id === id) ?? null,
  };
}

export const betsOn = (game, layout) => game.bets.filter((bet) => !layout || bet.layouts.includes(layout));

// ---------------------------------------------------------------- what can be changed

export const NO_CHANGES = { readings: [], odds: {}, insurance: {} };

export const isChanged = (changes) =>
  changes.readings.length > 0 || Object.keys(changes.odds).length > 0 || Object.keys(changes.insurance).length > 0;

// The rule book with other readings taken, then other odds; its id, its name and its register are as before.
// `common`: the Table of Play of a rule book that states none.
export function changedBook(book, changes, common) {
  const changed = copied(book);
  for (const id of changes.readings) readOtherwise(changed, book, id, common);
  for (const [id, lines] of Object.entries(changes.odds)) {
    const pays = changed.bets.find((bet) => bet.id === id)?.pays ?? [];
    for (const [index, odds] of Object.entries(lines)) if (pays[index] && pays[index].odds !== PUSH) pays[index].odds = odds;
  }
  for (const [key, lines] of Object.entries(changes.insurance)) {
    const offers = changed.insurance?.find((table) => `${table.side}@${table.stage}` === key)?.offers ?? [];
    for (const [index, odds] of Object.entries(lines)) if (offers[index]) offers[index].odds = odds;
  }
  return changed;
}
