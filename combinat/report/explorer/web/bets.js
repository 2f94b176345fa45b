// A bet on a shoe: every outcome's ways, and the figures that follow from them.

import { Fraction, ONE, ZERO, sum } from "./fraction.js";
import { RESULTS, resultOf } from "./game.js";
import { PUSH } from "./odds.js";
import { nextHand } from "./table_of_play.js";
import { PLAIN_MATCHES, courseWith } from "./walk.js";

const LOST = ONE.negated;

// The ways of every result, as an array by number, of courses that came to an end.
function resultWays(courses) {
  const ways = new Array(RESULTS.length).fill(0n);
  for (const [course, some] of courses) if (!course.isVoid) ways[resultOf(course)] += some;
  return ways;
}

// A distribution with what bets ask of it, each made when it is first asked for.
export function asked(distribution) {
  const kept = new Map();
  const once = (key, make) => {
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key);
  };
  return {
    ...distribution,
    results: once("results", () => resultWays(distribution.byPoints)),
    resultsOf: (match) => once(`match ${match}`, () => resultWays(distribution.ofMatch(match))),
    void: distribution.byPoints.reduce((all, [course, ways]) => (course.isVoid ? all + ways : all), distribution.unopened),
  };
}

const waysOf = (ways, accepted) => ways.reduce((all, some, number) => (some && accepted[number] ? all + some : all), 0n);

// The ways of a line that does not name its results and its matches one by one: course by course.
function waysByCourse(line, counts) {
  const of = (courses, match) => courses.reduce((all, [course, ways]) => (!course.isVoid && line.covers(course, match) ? all + ways : all), 0n);
  if (!line.namesFirstFour) return of(counts.byPoints, 0);
  return [...counts.matches.keys()].reduce((all, match) => all + of(counts.ofMatch(match), match), 0n);
}

function lineWays(line, counts) {
  if (!line.isPlain) return waysByCourse(line, counts);
  if (!line.namesFirstFour) return waysOf(counts.results, line.results);
  let all = 0n;
  for (const [match, ways] of counts.matches) {
    if (line.matches[match % PLAIN_MATCHES]) all += line.namesResult ? waysOf(counts.resultsOf(match), line.results) : ways;
  }
  return all;
}

// Every course that a round can take from these points, with cards of every rank.
export function coursesFrom(table, ours, theirs) {
  const ended = [];
  const goOn = (player, banker) => {
    const next = nextHand(table, player, banker);
    for (let points = 0; next && points < 10; points += 1) {
      if (next === "player") goOn([...player, points], banker);
      else goOn(player, [...banker, points]);
    }
    if (!next) ended.push(courseWith(player, banker));
  };
  goOn(ours, theirs);
  return ended;
}

export const resultsFrom = (table, ours, theirs) => coursesFrom(table, ours, theirs).map(resultOf);

// Every course that one which broke off could have become, had there been cards of every rank.
const coursesBeyond = (course, table) =>
  coursesFrom(table, course.playerThird === null ? [course.player, 0] : [course.player, 0, course.playerThird], [course.banker, 0]);

export const netOn = (bet, course, match) => bet.lines.find((line) => line.covers(course, match))?.net ?? bet.rest;

// What void rounds do to a bet: it comes back or stays, unless decided bets are read to stand.
function voidNets(game, bet, counts) {
  if (!counts.void) return [];
  if (game.voidBets !== "decided-stand") return [[ZERO, counts.void]];
  const ways = new Map(counts.unopened ? [["0", [ZERO, counts.unopened]]] : []);
  for (const match of counts.matches.keys()) {
    for (const [course, some] of counts.ofMatch(match)) {
      if (!course.isVoid) continue;
      const nets = coursesBeyond(course, game.table).map((beyond) => netOn(bet, beyond, match));
      const net = nets.every((one) => one.equals(nets[0])) ? nets[0] : ZERO;
      ways.set(`${net}`, [net, (ways.get(`${net}`)?.[1] ?? 0n) + some]);
    }
  }
  return [...ways.values()];
}

const LOSES = "loses";
const COMES_BACK = "returned";

export function betAnalysis(game, bet, counts) {
  const { sampleSpace } = counts;
  const outcome = (name, odds, net, ways, isVoid = false) => ({
    name,
    odds,
    net,
    ways,
    probability: new Fraction(ways, sampleSpace),
    isVoid,
  });
  const outcomes = bet.lines.map((line) => outcome(line.name || "wins", line.odds, line.net, lineWays(line, counts)));
  const paid = outcomes.reduce((all, one) => all + one.ways, 0n);
  const rest = sampleSpace - counts.void - paid;
  outcomes.push(bet.rest.sign ? outcome(LOSES, "", LOST, rest) : outcome(COMES_BACK, PUSH, ZERO, rest));
  for (const [net, ways] of voidNets(game, bet, counts)) {
    const name = net.sign ? `void, ${net.sign > 0 ? "won" : "lost"}` : "void";
    outcomes.push(outcome(name, net.sign ? "" : "push", net, ways, true));
  }
  return { bet, id: bet.id, name: bet.name, outcomes, ...figures(outcomes, sampleSpace) };
}

// Sums are taken over whole numbers, and made a fraction once: that is quicker than adding fractions.
function figures(outcomes, sampleSpace) {
  const probability = (holds) => new Fraction(outcomes.reduce((all, one) => (holds(one) ? all + one.ways : all), 0n), sampleSpace);
  const unit = outcomes.reduce((all, one) => all * one.net.denominator, 1n);
  const moment = (power) => {
    const parts = outcomes.reduce((all, { net, ways }) => all + ways * ((net.numerator * unit) / net.denominator) ** power, 0n);
    return new Fraction(parts, sampleSpace * unit ** power);
  };
  const expectedValue = moment(1n);
  const hitFrequency = probability((one) => one.net.sign > 0);
  const returned = probability((one) => one.net.sign === 0);
  const lost = probability((one) => one.net.equals(LOST));
  return {
    expectedValue,
    houseEdge: expectedValue.negated,
    returnToPlayer: expectedValue.plus(ONE),
    hitFrequency,
    returned,
    push: probability((one) => one.net.sign === 0 && !one.isVoid),
    void: probability((one) => one.isVoid),
    variance: moment(2n).minus(expectedValue.times(expectedValue)),
    edgePerResolvedBet: returned.equals(ONE) ? null : expectedValue.negated.over(ONE.minus(returned)),
    fairOdds: hitFrequency.sign ? lost.over(hitFrequency) : null,
    favoursPlayer: expectedValue.sign > 0,
    isDecided: new Set(outcomes.filter((one) => one.ways).map((one) => one.net.sign)).size === 1,
  };
}

// The net of one line at which the bet has this expected value; null: the line never pays on this shoe.
export function netFor(analysis, index, expectedValue) {
  const line = analysis.outcomes[index];
  if (!line.ways) return null;
  const rest = sum(analysis.outcomes.filter((one) => one !== line).map((one) => one.net.times(one.probability)));
  return expectedValue.minus(rest).over(line.probability);
}
