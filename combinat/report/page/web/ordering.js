// The order of the rows of a table by one of its columns, read from what the cells show.

import { Fraction } from "./fraction.js";

const SHOWN_NUMBER = /^[+-]?(\d[\d,]*)(?:\.(\d+))?(?:\/(\d[\d,]*))?/;
const SHOWN_ODDS = /^(\d+(?:\.\d+)?) to (\d+(?:\.\d+)?)$/;

function exact(digits, decimals = "", below = "1") {
  const plain = (text) => text.replaceAll(",", "");
  return new Fraction(BigInt(plain(digits) + decimals), 10n ** BigInt(decimals.length) * (BigInt(plain(below)) || 1n));
}

// A figure as its cell shows it, exactly as far as it is shown; null: the cell shows none.
export function shownNumber(text) {
  const parts = SHOWN_NUMBER.exec(text);
  if (!parts) return null;
  const size = exact(parts[1], parts[2], parts[3]);
  return text.startsWith("-") ? size.negated : size;
}

function shownOdds(text) {
  const parts = SHOWN_ODDS.exec(text);
  if (!parts) return null;
  const [profit, stake] = parts.slice(1).map(shownNumber);
  return stake.sign ? profit.over(stake) : null;
}

// How two cells of a column compare; `isNumber`: the column's figures are numbers. What shows no figure comes last,
// whichever way the column is sorted.
export function comparison(texts, isNumber, direction) {
  const said = texts.filter((text) => text !== "" && text !== "-");
  const read = isNumber ? shownNumber : said.length && said.every((text) => shownOdds(text)) ? shownOdds : null;
  if (!read) {
    const words = new Intl.Collator("en", { numeric: true });
    return (one, other) => direction * words.compare(one, other);
  }
  return (one, other) => {
    const [first, second] = [read(one), read(other)];
    if (!first || !second) return first ? -1 : second ? 1 : 0;
    return direction * first.compare(second);
  };
}
