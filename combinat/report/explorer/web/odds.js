// Odds and points as a rule book writes them: "50 to 1", "0.95 to 1", "1 to 1 less 5%", "push", "lose"; 6,
// "0-5", "1-5,7-9".

import { refuse } from "./texts.js";
import { HUNDRED, ONE, ZERO, money, parsedFraction } from "./fraction.js";

export const PUSH = "push";
export const LOSE = "lose";

const NUMBER = "\\d{1,9}(?:\\.\\d{1,9})?";
const ODDS = new RegExp(`^(${NUMBER}) to (${NUMBER})(?: less (${NUMBER})%)?$`);

// The profit per unit staked.
export function netOf(odds) {
  if (odds === PUSH) return ZERO;
  if (odds === LOSE) return ONE.negated;
  const parts = ODDS.exec(odds);
  const [profit, stake] = parts ? [parsedFraction(parts[1]), parsedFraction(parts[2])] : [ZERO, ZERO];
  const kept = parts?.[3] ? ONE.minus(partOf(parts[3])) : ONE;
  if (!profit.sign || !stake.sign || kept.sign <= 0 || (parts[3] && kept.equals(ONE))) refuse("no_odds");
  return profit.over(stake).times(kept);
}

// The odds of a line with its commission.
export const withCommission = (odds, commission) =>
  commission === undefined || odds.includes(" less ") ? odds : `${odds} less ${commission}`;

// Typed odds in the form of a rule book: "8" is "8 to 1", "3/2" is "3 to 2".
export function typedOdds(text) {
  const words = text.trim().replace(/\s+/g, " ");
  const plain = new RegExp(`^${NUMBER}$`).test(words)
    ? `${words} to 1`
    : words.replace(/^([\d.]+) ?[/:] ?([\d.]+)$/, "$1 to $2");
  netOf(plain);
  return plain;
}

// Odds with this net; null if their numbers are too long for a rule book.
export function writtenOdds(net) {
  const decimals = money(net);
  const isShort = (part) => new RegExp(`^${NUMBER}$`).test(`${part}`);
  if (net.sign <= 0) return null;
  if (net.denominator > 2n && isShort(decimals)) return `${decimals} to 1`;
  return isShort(net.numerator) && isShort(net.denominator) ? `${net.numerator} to ${net.denominator}` : null;
}

export function parsedPoints(written) {
  return String(written)
    .split(",")
    .flatMap((part) => {
      const [low, high = low] = part.split("-").map(Number);
      return Array.from({ length: high - low + 1 }, (_, step) => low + step);
    });
}

export const partOf = (share) => parsedFraction(share.replace("%", "")).over(HUNDRED);
