// A bet on a shoe: the ways of its outcomes, and its figures.

import { pointsOf } from "./cards.js";
import { Fraction, ONE, ZERO, sum } from "./fraction.js";
import { RESULTS, resultOf } from "./game.js";
import { PUSH } from "./odds.js";
import { courseWith, endsFrom, openingsOf, sumOf } from "./walk.js";

const LOST = ONE.negated;
const ANY_COURSE = courseWith([0, 0], [0, 0]); // for lines that look at no course

// The ways of a line: course by course, or match by match if it names nothing but the first four cards.
function lineWays(line, counts) {
  const of = (courses, match) =>
    sumOf(courses, ([course, ways]) => (!course.isVoid && line.covers(course, match) ? ways : 0n));
  if (!line.namesFirstFour) return of(counts.byPoints, 0);
  return sumOf([...counts.matches], ([match, ways]) => {
    if (line.namesResult) return of(counts.ofMatch(match), match);
    return line.covers(ANY_COURSE, match) ? ways : 0n;
  });
}

// Every course that an unfinished course could have become, with cards of every rank.
const coursesBeyond = ({ player, banker, playerThird }, table) =>
  coursesFrom(table, [player, 0, ...(playerThird === null ? [] : [playerThird])], [banker, 0]);

const coursesFrom = (...hands) => endsFrom(...hands).map(({ course }) => course);

const netOn = (bet, course, match) => bet.lines.find((line) => line.covers(course, match))?.net ?? bet.rest;

// The net of a bet in an unfinished round if every continuation by the Table of Play gives the same; 0 if it
// is open.
export function decidedNet(game, bet, player, banker) {
  let net = null;
  for (const { match, points } of openingsOf(player, banker, game.ranks)) {
    const ours = [...points.slice(0, 2), ...pointsOf(player.slice(2))];
    for (const course of coursesFrom(game.table, ours, points.slice(2))) {
      const one = netOn(bet, course, match);
      if (net !== null && !net.equals(one)) return ZERO;
      net = one;
    }
  }
  return net ?? ZERO;
}

// The nets of void rounds: the bet is returned or stays, unless the rule book lets decided bets stand.
function voidNets(game, bet, counts) {
  if (!counts.void) return [];
  if (game.voidBets !== "decided-stand") return [[ZERO, counts.void]];
  const ways = new Map();
  const add = (net, some) => ways.set(`${net}`, [net, (ways.get(`${net}`)?.[1] ?? 0n) + some]);
  for (const one of counts.unopened) add(decidedNet(game, bet, one.player, one.banker), one.ways);
  for (const match of counts.matches.keys()) {
    for (const [course, some] of counts.ofMatch(match)) {
      if (!course.isVoid) continue;
      const nets = coursesBeyond(course, game.table).map((beyond) => netOn(bet, beyond, match));
      add(nets.every((one) => one.equals(nets[0])) ? nets[0] : ZERO, some);
    }
  }
  return [...ways.values()];
}

export function betAnalysis(game, bet, counts) {
  const { sampleSpace } = counts;
  const outcome = (name, odds, net, ways, more) => ({
    name,
    odds,
    net,
    ways,
    probability: new Fraction(ways, sampleSpace),
    isVoid: false,
    index: null, // of its line in the pay table
    ...more,
  });
  const outcomes = bet.lines.map((line, index) =>
    outcome(line.name || "wins", line.odds, line.net, lineWays(line, counts), { index }),
  );
  const paid = sumOf(outcomes, (one) => one.ways);
  const rest = sampleSpace - counts.void - paid;
  outcomes.push(bet.rest.sign ? outcome("loses", "", LOST, rest) : outcome("returned", PUSH, ZERO, rest));
  for (const [net, ways] of voidNets(game, bet, counts)) {
    const name = net.sign ? `void, ${net.sign > 0 ? "won" : "lost"}` : "void";
    outcomes.push(outcome(name, net.sign ? "" : "push", net, ways, { isVoid: true }));
  }
  const { id, name } = bet;
  return { bet, id, name, outcomes, isUntilDecided: false, ...figures(outcomes, sampleSpace) };
}

// ---------------------------------------------------------------- bets that stay

// Whether a bet on a hand stays on the layout after a tie.
export const staysOnTie = (game, bet) =>
  game.practice.tied_bets === "stay" && Object.values(game.insuredBet).includes(bet);

// The bets that may stay on the layout: all after a void round, the bets on the hands after a tie.
export const stayingBets = (game) =>
  game.bets.filter((bet) => game.voidBets === "stay" || staysOnTie(game, bet));

// The ways of the ties on a line of a bet, or, without a line, of the ties on no line.
function tiedWays(bet, line, counts) {
  const isTie = (course) => RESULTS[resultOf(course)].winner === "tie";
  const on = ({ namesFirstFour, covers }) => {
    const coversTie = (course, match) => isTie(course) && covers(course, match);
    return lineWays({ namesFirstFour, namesResult: true, covers: coversTie }, counts);
  };
  if (line) return on(line);
  return on({ namesFirstFour: false, covers: () => true }) - sumOf(bet.lines, on);
}

// A bet played until a round settles it, each round from the same shoe; rounds after which it stays drop out.
// If no round of the shoe settles it, its figures are of one round.
function untilDecided(game, bet, analysis, counts) {
  const stays = (one) => !one.net.sign && (one.isVoid ? game.voidBets === "stay" : staysOnTie(game, bet));
  const settled = (one) => ({
    ...one,
    ways: one.isVoid ? 0n : one.ways - tiedWays(bet, bet.lines[one.index], counts),
  });
  const decided = analysis.outcomes
    .map((one) => (stays(one) ? settled(one) : one))
    .filter((one) => one.ways || !stays(one));
  const ways = sumOf(decided, (one) => one.ways);
  if (!ways) return analysis;
  const outcomes = decided.map((one) => ({ ...one, probability: new Fraction(one.ways, ways) }));
  return { ...analysis, outcomes, isUntilDecided: true, ...figures(outcomes, ways) };
}

// The figures of a bet: of one round, or until it is decided if it may stay on the layout.
export function valuedBet(game, bet, counts) {
  const analysis = betAnalysis(game, bet, counts);
  return stayingBets(game).includes(bet) ? untilDecided(game, bet, analysis, counts) : analysis;
}

// ---------------------------------------------------------------- figures

// The figures of a bet from its outcomes. Sums of whole numbers become a fraction once, which is faster than
// adding fractions.
function figures(outcomes, sampleSpace) {
  const probability = (holds) =>
    new Fraction(
      sumOf(outcomes.filter(holds), (one) => one.ways),
      sampleSpace,
    );
  const unit = outcomes.reduce((all, one) => all * one.net.denominator, 1n);
  const moment = (power) => {
    const part = ({ net, ways }) => ways * ((net.numerator * unit) / net.denominator) ** power;
    return new Fraction(sumOf(outcomes, part), sampleSpace * unit ** power);
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

// The outcome of a line of the pay table; null if the bet stays on the layout and the line has no value.
export const outcomeOf = (analysis, index) => analysis.outcomes.find((one) => one.index === index) ?? null;

// The third central moment: the skewness times the cubed standard deviation.
export function thirdCentralMoment({ outcomes, expectedValue }) {
  const cube = ({ net, probability }) => {
    const away = net.minus(expectedValue);
    return away.times(away).times(away).times(probability);
  };
  return sum(outcomes.filter((one) => one.ways).map(cube));
}

// The largest profit of one unit on this shoe; null if the bet cannot win.
export const largestPayout = ({ outcomes }) =>
  outcomes
    .filter((one) => one.ways && one.net.sign > 0)
    .reduce((most, { net }) => (most === null || net.compare(most) > 0 ? net : most), null);

// The net of one line that gives the bet this expected value; null if the line never pays on this shoe.
export function netFor(analysis, index, expectedValue) {
  const line = outcomeOf(analysis, index);
  if (!line?.ways) return null;
  const others = analysis.outcomes.filter((one) => one !== line);
  const rest = sum(others.map((one) => one.net.times(one.probability)));
  return expectedValue.minus(rest).over(line.probability);
}
