// A bet on a shoe: every outcome's ways, and the figures that follow from them.

import { LOST, figures } from "./bet_figures.js";
import { pointsOf } from "./cards.js";
import { Fraction, ZERO, sum } from "./fraction.js";
import { RESULTS, resultOf } from "./game.js";
import { PUSH } from "./odds.js";
import { nextHand } from "./table_of_play.js";
import { PLAIN_MATCHES, courseWith, distribution, openingsOf } from "./walk.js";

// The ways of every result, as an array by number, of courses that came to an end.
function resultWays(courses) {
  const ways = new Array(RESULTS.length).fill(0n);
  for (const [course, some] of courses) if (!course.isVoid) ways[resultOf(course)] += some;
  return ways;
}

// Every round of a shoe from the cards on the table, counted, with the sums that bets ask for, each made once.
export function countsFor(game, shoe, player = [], banker = []) {
  const all = distribution(shoe, game.table, player, banker, { ranks: game.ranks });
  const ofMatch = new Map();
  const resultsOf = (match) => {
    if (!ofMatch.has(match)) ofMatch.set(match, resultWays(all.ofMatch(match)));
    return ofMatch.get(match);
  };
  const unfinished = [
    ...all.unopened.map((one) => one.ways),
    ...all.byPoints.map(([course, ways]) => (course.isVoid ? ways : 0n)),
  ];
  const voidWays = unfinished.reduce((one, other) => one + other, 0n);
  return { ...all, results: resultWays(all.byPoints), resultsOf, void: voidWays };
}

const waysOf = (ways, accepted) =>
  ways.reduce((all, some, number) => (some && accepted[number] ? all + some : all), 0n);

// The ways of a line that does not name its results and its matches one by one: course by course.
function waysByCourse(line, counts) {
  const of = (courses, match) =>
    courses.reduce(
      (all, [course, ways]) => (!course.isVoid && line.covers(course, match) ? all + ways : all),
      0n,
    );
  if (!line.namesFirstFour) return of(counts.byPoints, 0);
  return [...counts.matches.keys()].reduce((all, match) => all + of(counts.ofMatch(match), match), 0n);
}

function lineWays(line, counts) {
  if (!line.isPlain) return waysByCourse(line, counts);
  if (!line.namesFirstFour) return waysOf(counts.results, line.results);
  let all = 0n;
  for (const [match, ways] of counts.matches) {
    if (line.matches[match % PLAIN_MATCHES])
      all += line.namesResult ? waysOf(counts.resultsOf(match), line.results) : ways;
  }
  return all;
}

// Every course that a round can take from these points, with cards of every rank.
function coursesFrom(table, ours, theirs) {
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

// Every course that one which broke off could have become, had there been cards of every rank.
const coursesBeyond = (course, table) =>
  coursesFrom(
    table,
    course.playerThird === null ? [course.player, 0] : [course.player, 0, course.playerThird],
    [course.banker, 0],
  );

const netOn = (bet, course, match) => bet.lines.find((line) => line.covers(course, match))?.net ?? bet.rest;

// What a bet has come to in a round with these cards, by what the Table of Play could still bring; 0: it is open.
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

// What void rounds do to a bet: it comes back or stays, unless decided bets are read to stand.
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

const LOSES = "loses";
const COMES_BACK = "returned";

export function betAnalysis(game, bet, counts) {
  const { sampleSpace } = counts;
  const outcome = (name, odds, net, ways, isVoid = false, index = null) => ({
    name,
    odds,
    net,
    ways,
    probability: new Fraction(ways, sampleSpace),
    isVoid,
    index, // of its line in the pay table
  });
  const outcomes = bet.lines.map((line, index) =>
    outcome(line.name || "wins", line.odds, line.net, lineWays(line, counts), false, index),
  );
  const paid = outcomes.reduce((all, one) => all + one.ways, 0n);
  const rest = sampleSpace - counts.void - paid;
  outcomes.push(bet.rest.sign ? outcome(LOSES, "", LOST, rest) : outcome(COMES_BACK, PUSH, ZERO, rest));
  for (const [net, ways] of voidNets(game, bet, counts)) {
    const name = net.sign ? `void, ${net.sign > 0 ? "won" : "lost"}` : "void";
    outcomes.push(outcome(name, net.sign ? "" : "push", net, ways, true));
  }
  return {
    bet,
    id: bet.id,
    name: bet.name,
    outcomes,
    isUntilDecided: false,
    ...figures(outcomes, sampleSpace),
  };
}

// ---------------------------------------------------------------- bets that stay

// Whether a tie leaves a bet on the layout, as the game is read: one on a hand.
export const staysOnTie = (game, bet) =>
  game.practice.tied_bets === "stay" && Object.values(game.insuredBet).includes(bet);

// The bets that may stay on the layout, as the game is read: all after a void round, those on the hands after a tie.
export const stayingBets = (game) =>
  game.bets.filter((bet) => game.voidBets === "stay" || staysOnTie(game, bet));

// The ways of the ties on a line of a bet; of its rest, those on no line.
function tiedWays(bet, line, counts) {
  const isTie = (course) => RESULTS[resultOf(course)].winner === "tie";
  const on = (one) =>
    waysByCourse(
      {
        namesFirstFour: one.namesFirstFour,
        covers: (course, match) => isTie(course) && one.covers(course, match),
      },
      counts,
    );
  if (line) return on(line);
  return bet.lines.reduce((all, one) => all - on(one), on({ namesFirstFour: false, covers: () => true }));
}

// A bet played until a round settles it, each from such a shoe; on a shoe on which none does, as in one round. Rounds after
// which it stays on the layout drop out.
function untilDecided(game, bet, analysis, counts) {
  const stays = (one) => !one.net.sign && (one.isVoid ? game.voidBets === "stay" : staysOnTie(game, bet));
  const settled = (one) => ({
    ...one,
    ways: one.isVoid ? 0n : one.ways - tiedWays(bet, bet.lines[one.index], counts),
  });
  const decided = analysis.outcomes
    .map((one) => (stays(one) ? settled(one) : one))
    .filter((one) => one.ways || !stays(one));
  const ways = decided.reduce((all, one) => all + one.ways, 0n);
  if (!ways) return analysis;
  const outcomes = decided.map((one) => ({ ...one, probability: new Fraction(one.ways, ways) }));
  return { ...analysis, outcomes, isUntilDecided: true, ...figures(outcomes, ways) };
}

// What a bet is worth once it is made: of one round, or until it is decided where it may stay on the layout.
export function valuedBet(game, bet, counts) {
  const analysis = betAnalysis(game, bet, counts);
  return stayingBets(game).includes(bet) ? untilDecided(game, bet, analysis, counts) : analysis;
}

// ---------------------------------------------------------------- figures

// What a line of the pay table comes to; null: it is not valued, because the bet stays on it.
export const outcomeOf = (analysis, index) => analysis.outcomes.find((one) => one.index === index) ?? null;

// What skewness is made of: divided by the standard deviation cubed, it is the skewness.
export function thirdCentralMoment({ outcomes, expectedValue }) {
  const cube = ({ net, probability }) => {
    const away = net.minus(expectedValue);
    return away.times(away).times(away).times(probability);
  };
  return sum(outcomes.filter((one) => one.ways).map(cube));
}

// The most that a unit staked can win on this shoe; null: it cannot win.
export const largestPayout = ({ outcomes }) =>
  outcomes
    .filter((one) => one.ways && one.net.sign > 0)
    .reduce((most, { net }) => (most === null || net.compare(most) > 0 ? net : most), null);

// The net of one line at which the bet has this expected value; null: the line never pays on this shoe.
export function netFor(analysis, index, expectedValue) {
  const line = outcomeOf(analysis, index);
  if (!line?.ways) return null;
  const rest = sum(
    analysis.outcomes.filter((one) => one !== line).map((one) => one.net.times(one.probability)),
  );
  return expectedValue.minus(rest).over(line.probability);
}
