// The figures of a bet, from its outcomes alone.

import { Fraction, ONE } from "./fraction.js";

export const LOST = ONE.negated;

// What follows from the outcomes of a bet, each with its net result and its ways. Sums are taken over whole numbers, and made a fraction once: that is quicker than adding fractions.
export function figures(outcomes, sampleSpace) {
  const probability = (holds) =>
    new Fraction(
      outcomes.reduce((all, one) => (holds(one) ? all + one.ways : all), 0n),
      sampleSpace,
    );
  const unit = outcomes.reduce((all, one) => all * one.net.denominator, 1n);
  const moment = (power) => {
    const parts = outcomes.reduce(
      (all, { net, ways }) => all + ways * ((net.numerator * unit) / net.denominator) ** power,
      0n,
    );
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
