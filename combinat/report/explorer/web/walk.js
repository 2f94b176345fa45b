// Every course of a round, counted exactly.
//
// The first two cards of a hand are taken as a pair, whichever came first. After four cards only points
// matter. A course is a round by points: both totals after four cards, and the third cards, if any. Ways are
// BigInt. A product of two counts of cards is a Number: at most 16 million cards have the same points, so
// that the product is below 2^53.

import { POINTS, RANKS, byPoints, plus, pointTotal, pointsOf, size } from "./cards.js";
import { PLAYER, nextHand } from "./table_of_play.js";

const MOST_CARDS = 6;
const NONE = 10; // of a course: no third card
const EVERY_POINTS = Array.from({ length: 10 }, (_, points) => points);
const COURSES = 10 * 10 * 11 * 11;

const falling = (cards, drawn) => {
  let product = 1n;
  for (let step = 0; step < drawn; step += 1) product *= BigInt(cards - step);
  return product;
};

// A course by its number. A void course, which the shoe could not finish, has a number COURSES higher.
function courseOf(number) {
  const isVoid = number >= COURSES;
  const within = number % COURSES;
  const third = (points) => (points === NONE ? null : points);
  return {
    number,
    player: Math.floor(within / 1210),
    banker: Math.floor(within / 121) % 10,
    playerThird: third(Math.floor(within / 11) % 11),
    bankerThird: third(within % 11),
    isVoid,
  };
}

const cardsOf = (course) => 4 + (course.playerThird !== null) + (course.bankerThird !== null);

// Every shoe uses every course, so each is made once.
const EVERY_COURSE = Array.from({ length: 2 * COURSES }, (_, number) => courseOf(number));

// The course of two hands, given the points of their cards.
export function courseWith(ours, theirs, isVoid = false) {
  const [player, banker] = [pointTotal(ours.slice(0, 2)), pointTotal(theirs.slice(0, 2))];
  const number = ((player * 10 + banker) * 11 + (ours[2] ?? NONE)) * 11 + (theirs[2] ?? NONE);
  return EVERY_COURSE[isVoid ? number + COURSES : number];
}

// How the first four cards match, as one number: 0 no match, 1 a pair by rank, 2 by points alone, of each
// hand; whether two pairs are the same one; whether they are worth the same. Where a game asks for the ranks
// of pairs, the number includes them: each hand's rank, or 13 if it has no pair, from PLAIN_MATCHES on.
const PLAIN_MATCHES = 36;
const NO_PAIR = 13;
const MATCH_NUMBERS = PLAIN_MATCHES * (1 + 14 * 14);
const matchTold = (match, ours, theirs) => match + PLAIN_MATCHES * (1 + 14 * ours + theirs);
const matchNumber = (player, banker, sameRank, samePoints) =>
  player * 3 + banker + 9 * sameRank + 18 * samePoints;

const KINDS = ["none", "single", "double", "twin"];

export function firstFourOf(number) {
  const match = number % PLAIN_MATCHES;
  const [player, banker] = [Math.floor((match % 9) / 3), match % 3];
  const [sameRank, samePoints] = [Math.floor(match / 9) % 2 === 1, match >= 18];
  const ranks = Math.floor(number / PLAIN_MATCHES) - 1; // below 0 where the game asks for none
  const kind = (one, other, same) => KINDS[one && other ? (same ? 3 : 2) : one || other ? 1 : 0];
  return {
    player_pair: player === 1,
    banker_pair: banker === 1,
    pairs: kind(player === 1, banker === 1, sameRank),
    player_point_pair: player > 0,
    banker_point_pair: banker > 0,
    point_pairs: kind(player > 0, banker > 0, samePoints),
    player_pair_of: RANKS[Math.floor(ranks / 14)] ?? null,
    banker_pair_of: RANKS[ranks % 14] ?? null,
  };
}

// The match of the first four cards of a round, with the ranks of pairs.
export function matchOf(player, banker) {
  const [our, their] = [two(player[0], player[1]), two(banker[0], banker[1])];
  return matchOfFour(our, their, true);
}

function matchOfFour(our, their, ranks) {
  const both = our.match && their.match;
  const sameRank = our.match === 1 && their.match === 1 && our.first === their.first;
  const match = matchNumber(our.match, their.match, sameRank ? 1 : 0, both && our.low === their.low ? 1 : 0);
  return ranks
    ? matchTold(match, our.match === 1 ? our.first : NO_PAIR, their.match === 1 ? their.first : NO_PAIR)
    : match;
}

function two(first, second) {
  const [low, high] = [POINTS[first], POINTS[second]].sort();
  return { first, second, low, high, match: first === second ? 1 : low === high ? 2 : 0 };
}

const EVERY_TWO = RANKS.flatMap((_, first) => RANKS.slice(first).map((_, more) => two(first, first + more)));

// Every first two cards of a hand, given its known cards: their ordered ways, and the ranks newly dealt.
function firstTwo(known, counts) {
  if (known.length >= 2) return [{ cards: two(known[0], known[1]), ways: 1n, dealt: [] }];
  const some = [];
  if (known.length === 1) {
    counts.forEach((count, rank) => {
      if (count) some.push({ cards: two(known[0], rank), ways: BigInt(count), dealt: [rank] });
    });
    return some;
  }
  for (const cards of EVERY_TWO) {
    const [left, right] = [counts[cards.first], counts[cards.second]];
    const ways = cards.first === cards.second ? left * (left - 1) : 2 * left * right;
    if (ways) some.push({ cards, ways: BigInt(ways), dealt: [cards.first, cards.second] });
  }
  return some;
}

// The first four cards that a shoe can deal, by points and match, with their ordered ways.
function openings(shoe, player, banker, ranks) {
  const counts = [...shoe];
  const ways = new Map();
  for (const ours of firstTwo(player, counts)) {
    for (const rank of ours.dealt) counts[rank] -= 1;
    for (const theirs of firstTwo(banker, counts)) {
      const [our, their] = [ours.cards, theirs.cards];
      const match = matchOfFour(our, their, ranks);
      const key = (((our.low * 10 + our.high) * 10 + their.low) * 10 + their.high) * MATCH_NUMBERS + match;
      ways.set(key, (ways.get(key) ?? 0n) + ours.ways * theirs.ways);
    }
    for (const rank of ours.dealt) counts[rank] += 1;
  }
  return [...ways].map(([key, of]) => ({
    match: key % MATCH_NUMBERS,
    points: [...String(Math.floor(key / MATCH_NUMBERS)).padStart(4, "0")].map(Number),
    ways: of,
  }));
}

// Every end of a round of four cards or more, with some cards left: its course, and the points of the cards
// drawn until then.
export function endsFrom(table, player, banker, cards = 2, drawn = []) {
  const next = nextHand(table, player, banker);
  if (!next || !cards) return [{ course: courseWith(player, banker, next !== null), drawn }];
  return EVERY_POINTS.flatMap((points) => {
    const hands = next === PLAYER ? [[...player, points], banker] : [player, [...banker, points]];
    return endsFrom(table, ...hands, cards - 1, [...drawn, points]);
  });
}

// The courses of some openings as a list of [course, ways], in the order of their numbers. `thirds`: the
// third cards on the table, of each hand. `ends`: those of rounds by their totals, made once.
function courseWays(rows, leftWithFour, table, thirds, unseen, ends) {
  const sums = new Map();
  for (const { points, ways } of rows) {
    const left = [...leftWithFour];
    for (const value of points) left[value] -= 1;
    const [ours, theirs] = [points.slice(0, 2), points.slice(2)];
    const totals = 10 * pointTotal(ours) + pointTotal(theirs);
    if (!ends.has(totals))
      ends.set(totals, endsFrom(table, ours.concat(thirds[0]), theirs.concat(thirds[1]), size(left)));
    for (const { course, drawn } of ends.get(totals)) {
      const [first, second] = drawn;
      const third = first === undefined ? 1 : left[first];
      const cards = second === undefined ? third : third * (left[second] - (first === second ? 1 : 0));
      if (cards) sums.set(course, (sums.get(course) ?? 0n) + ways * BigInt(cards));
    }
  }
  const inOrder = [...sums].sort(([one], [other]) => one.number - other.number);
  return inOrder.map(([course, ways]) => [course, ways * unseen[cardsOf(course)]]);
}

// The rounds of a shoe that runs out before their fourth card, each with its ordered ways.
function unopened(shoe, player, banker) {
  if (!size(shoe)) return [{ player, banker, ways: 1n }];
  return shoe.flatMap((count, rank) => {
    if (!count) return [];
    const left = shoe.map((some, other) => (other === rank ? some - 1 : some));
    const rounds =
      player.length <= banker.length
        ? unopened(left, [...player, rank], banker)
        : unopened(left, player, [...banker, rank]);
    return rounds.map((one) => ({ ...one, ways: BigInt(count) * one.ways }));
  });
}

// The first four cards of a round that has these cards, dealt from a shoe with cards of every rank.
const EVERY_RANK = RANKS.map(() => 8);
export const openingsOf = (player, banker, ranks) =>
  openings(EVERY_RANK, player.slice(0, 2), banker.slice(0, 2), ranks);

export const sumOf = (list, ways) => list.reduce((all, one) => all + ways(one), 0n);

// Every result of a round, from its start or from the cards on the table, which are not in `shoe`. Counts are
// out of `sampleSpace`. `byPoints`: every course with its ways. `ofMatch(match)`: the courses of one match of
// the first four cards, made once. `matches`: the ways of each match, without void rounds. `unopened`: rounds
// that end before their fourth card. `void`: the ways of rounds that the shoe cannot finish.
export function countsFor({ table, ranks }, shoe, player = [], banker = []) {
  const [cards, onTable] = [size(shoe), player.length + banker.length];
  const drawn = Math.min(cards, MOST_CARDS - onTable);
  const sampleSpace = falling(cards, drawn);
  if (onTable + cards < 4) {
    const none = { byPoints: [], ofMatch: () => [], matches: new Map() };
    return { ...none, sampleSpace, unopened: unopened(shoe, player, banker), void: sampleSpace };
  }
  const [ours, theirs] = [player.slice(0, 2), banker.slice(0, 2)];
  const rows = openings(shoe, ours, theirs, ranks);
  const leftWithFour = byPoints(plus(shoe, [...ours, ...theirs]));
  const unseen = {};
  for (const all of [4, 5, 6]) unseen[all] = falling(cards + onTable - all, drawn + onTable - all);
  const thirds = [pointsOf(player.slice(2)), pointsOf(banker.slice(2))];
  const [ends, made] = [new Map(), new Map()];
  const of = (some) => courseWays(some, leftWithFour, table, thirds, unseen, ends);
  const ofMatch = (match) => {
    if (!made.has(match)) made.set(match, of(rows.filter((row) => row.match === match)));
    return made.get(match);
  };
  const matches = new Map(rows.map((row) => [row.match, 0n]));
  if (cards + onTable >= MOST_CARDS) {
    // No round is void, and every opening has the same number of continuations.
    const opened = sumOf(rows, (row) => row.ways);
    for (const { match, ways } of rows)
      matches.set(match, matches.get(match) + (ways * sampleSpace) / opened);
  } else {
    const complete = ([course, ways]) => (course.isVoid ? 0n : ways);
    for (const match of matches.keys()) matches.set(match, sumOf(ofMatch(match), complete));
  }
  const byCourse = of(rows);
  const unfinished = sumOf(byCourse, ([course, ways]) => (course.isVoid ? ways : 0n));
  return { sampleSpace, unopened: [], byPoints: byCourse, ofMatch, matches, void: unfinished };
}
