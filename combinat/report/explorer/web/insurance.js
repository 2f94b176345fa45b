// Insurance: the figures of every state in which it is offered, and the limits on its stake.

import { Fraction, ONE, ZERO } from "./fraction.js";
import { CARD_TO_COME, FOUR_CARDS, RESULTS, THIRD_CARD, resultOf } from "./game.js";
import { otherHand } from "./table_of_play.js";

const momentKey = (stage, player, banker) => `${stage} ${player} ${banker}`;

// The moments of a course at which insurance is open.
function moments(course, opens) {
  const known = opens !== CARD_TO_COME;
  const { playerThird, bankerThird, isVoid } = course;
  const open = [];
  if (known || playerThird !== null || bankerThird !== null || isVoid) {
    open.push(momentKey(FOUR_CARDS, course.player, course.banker));
  }
  if (playerThird !== null && (known || bankerThird !== null || isVoid)) {
    open.push(momentKey(THIRD_CARD, (course.player + playerThird) % 10, course.banker));
  }
  return open;
}

// 1: an insurance bet wins on a result; 0: it is returned; -1: it loses.
export function insuranceSign(side, offer, result) {
  const { winner, player_points: points } = RESULTS[result];
  if (winner === "tie") return offer.tiePays.includes(points) ? 1 : 0;
  return winner === otherHand(side) ? 1 : -1;
}

function stateAnalysis(state, courses, sampleSpace) {
  let [ways, won, lost] = [0n, 0n, 0n];
  for (const [course, some] of courses) {
    ways += some;
    const sign = course.isVoid ? 0 : insuranceSign(state.side, state.offer, resultOf(course));
    if (sign > 0) won += some;
    else if (sign < 0) lost += some;
  }
  const given = (some) => (ways ? new Fraction(some, ways) : null);
  const { net } = state.offer;
  const [wins, loses] = [given(won), given(lost)];
  const expectedValue = ways ? net.times(wins).minus(loses) : null;
  return {
    ...state,
    net,
    ways,
    probability: new Fraction(ways, sampleSpace),
    wins,
    pushes: given(ways - won - lost),
    loses,
    expectedValue,
    houseEdge: expectedValue?.negated ?? null,
    variance:
      expectedValue && net.times(net).times(wins).plus(loses).minus(expectedValue.times(expectedValue)),
    fairOdds: won ? new Fraction(lost, won) : null,
    favoursPlayer: net.numerator * won > net.denominator * lost,
  };
}

// The figures of every insurance state of the game.
export function insuranceAnalysis(game, counts) {
  const passing = new Map();
  if (game.states.length) {
    for (const counted of counts.byPoints) {
      for (const moment of moments(counted[0], game.opens)) {
        if (!passing.has(moment)) passing.set(moment, []);
        passing.get(moment).push(counted);
      }
    }
  }
  const coursesOf = ({ stage, player, banker }) => passing.get(momentKey(stage, player, banker)) ?? [];
  return game.states.map((state) => stateAnalysis(state, coursesOf(state), counts.sampleSpace));
}

// The insurance stage of a round; null if it is at none.
export function stageOf(player, banker) {
  if (player.length === 2 && banker.length === 2) return FOUR_CARDS;
  return player.length === 3 && banker.length === 2 ? THIRD_CARD : null;
}

// The states whose insurance is open now, at most one for each hand.
export function openStates(game, { stage, playerTotal, bankerTotal, isOver }) {
  if (!game.terms || !stage || (isOver && game.opens === CARD_TO_COME)) return [];
  const here = game.states.filter(
    (state) => state.stage === stage && state.player === playerTotal && state.banker === bankerTotal,
  );
  return ["player", "banker"].flatMap((side) => here.filter((state) => state.side === side).slice(0, 1));
}

export const openAnalysis = (states, counts) =>
  states.map((state) => stateAnalysis(state, counts.byPoints, counts.sampleSpace));

// ---------------------------------------------------------------- limits

const AMOUNT = { stake: () => ONE, payout: (net) => net, "payout-and-stake": (net) => net.plus(ONE) };

export const amountOf = (limit, stake, net) => stake.times(AMOUNT[limit.caps](net));

// The limits that hold for every procedure.
export const limitsInForce = (limits) => limits.filter((limit) => limit.procedure === undefined);

const appliesTo = (limit, net) => limit.net === null || limit.net.equals(net);

// Whether a limit adds up two insurance bets of one player. The page knows no other players.
const ADDED_UP = {
  offer: () => false,
  round: (bet, other) => bet.hand === other.hand,
  "both-hands": () => true,
  table: () => false,
};

// The stake that a limit allows for a bet beside the player's other bets; null if it does not apply.
// `bases`: the amounts that limits are measured against.
export function roomIn(limit, bet, others, bases) {
  const { net } = bet;
  const base = bases[limit.of];
  if (!base || !appliesTo(limit, net)) return null;
  const beside = others.filter((other) => ADDED_UP[limit.per](bet, other) && appliesTo(limit, other.net));
  const used = beside.reduce((all, other) => all.plus(amountOf(limit, other.stake, other.net)), ZERO);
  const most = limit.part.times(base);
  const left = most.minus(used).sign > 0 ? most.minus(used) : ZERO;
  return { limit, most, used, stake: left.over(amountOf(limit, ONE, net)) };
}

export const needsMaximum = (limit, net) => limit.of !== "original-bet" && appliesTo(limit, net);
