// Fractions of whole numbers of any size, always in lowest terms. No figure of this page is ever a float.

const magnitude = (whole) => (whole < 0n ? -whole : whole);

function commonDivisor(one, other) {
  while (other) [one, other] = [other, one % other];
  return one;
}

export class Fraction {
  constructor(numerator, denominator = 1n) {
    if (!denominator) throw new RangeError("a fraction of nothing");
    const divisor = commonDivisor(magnitude(numerator), magnitude(denominator));
    const sign = denominator < 0n ? -1n : 1n;
    this.numerator = (sign * numerator) / divisor;
    this.denominator = (sign * denominator) / divisor;
    Object.freeze(this);
  }

  plus(other) {
    const [ours, theirs] = [this.numerator * other.denominator, other.numerator * this.denominator];
    return new Fraction(ours + theirs, this.denominator * other.denominator);
  }

  minus(other) {
    return this.plus(other.negated);
  }

  times(other) {
    return new Fraction(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  over(other) {
    return new Fraction(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  get negated() {
    return new Fraction(-this.numerator, this.denominator);
  }

  get size() {
    return this.numerator < 0n ? this.negated : this;
  }

  get sign() {
    return this.numerator > 0n ? 1 : this.numerator < 0n ? -1 : 0;
  }

  // -1, 0 or 1: this is less than the other, equal, or more.
  compare(other) {
    const difference = this.numerator * other.denominator - other.numerator * this.denominator;
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  }

  equals(other) {
    return this.compare(other) === 0;
  }

  toString() {
    return this.denominator === 1n ? `${this.numerator}` : `${this.numerator}/${this.denominator}`;
  }
}

export const ZERO = new Fraction(0n);
export const ONE = new Fraction(1n);
export const HUNDRED = new Fraction(100n);

export const sum = (fractions) => fractions.reduce((total, one) => total.plus(one), ZERO);

// "12.50" or "19/20" as a fraction; null for any other text.
export function parsedFraction(text) {
  const parts = /^(-?)(\d{1,15})(?:\.(\d{1,9})|\/(\d{1,15}))?$/.exec(text.trim());
  if (!parts) return null;
  const [, minus, digits, decimals = "", below = "1"] = parts;
  if (!BigInt(below)) return null;
  const numerator = BigInt(digits + decimals);
  return new Fraction(minus ? -numerator : numerator, 10n ** BigInt(decimals.length) * BigInt(below));
}

// The value with `places` decimals, rounded once, half to even.
export function decimal(value, places) {
  const scaled = value.size.numerator * 10n ** BigInt(places);
  const denominator = value.denominator;
  let units = scaled / denominator;
  const rest = 2n * (scaled % denominator);
  if (rest > denominator || (rest === denominator && units % 2n)) units += 1n;
  const digits = `${units}`.padStart(places + 1, "0");
  const cut = digits.length - places;
  const text = places ? `${digits.slice(0, cut)}.${digits.slice(cut)}` : digits;
  return value.sign < 0 && units ? `-${text}` : text;
}

// The largest whole number whose square is at most `square`.
function wholeRoot(square) {
  if (square < 2n) return square;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (let next = (root + square / root) / 2n; next < root; next = (root + square / root) / 2n) root = next;
  return root;
}

// The root of a value's magnitude with `places` decimals and the value's sign, rounded once, half to even.
export function signedRoot(square, places) {
  const { numerator, denominator } = square.size.times(new Fraction(10n ** BigInt(2 * places)));
  let units = wholeRoot(numerator / denominator);
  const [value, half] = [4n * numerator, (2n * units + 1n) ** 2n * denominator];
  if (value > half || (value === half && units % 2n)) units += 1n;
  return decimal(new Fraction(square.sign < 0 ? -units : units, 10n ** BigInt(places)), places);
}

export const percent = (value, places = 4) => decimal(value.times(HUNDRED), places);

// Percent with a sign, so that gains and losses differ without colour.
export function signedPercent(value, places = 4) {
  const text = percent(value, places);
  return value.sign > 0 ? `+${text}` : text;
}

// An amount as an exact decimal, or as a fraction if no decimal is exact.
export function money(amount) {
  let rest = amount.denominator;
  let places = 0;
  for (const prime of [2n, 5n]) {
    let power = 0;
    for (; rest % prime === 0n; rest /= prime) power += 1;
    places = Math.max(places, power);
  }
  return rest === 1n ? decimal(amount, places) : `${amount}`;
}

// A float, only to place a mark on a chart; never shown as a figure.
export const near = (value) => Number(value.numerator) / Number(value.denominator);
