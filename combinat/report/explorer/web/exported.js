// The rule book as it was changed, as a rule book of its own.

import { changedBook, isChanged, madeGame } from "./game.js";
import { fault } from "./holding.js";
import { netOf } from "./odds.js";
import { copied, entryOf, isShownHere, readOtherwise, touchedBy } from "./readings.js";

const SUFFIX = "-changed";
const [MOST_ID, MOST_NAME] = [60, 100];

// An entry may stay in the register of a changed book: it speaks of nothing that was changed, and where the Table of
// Play or a layout is another one, the book still holds together under it.
function staying(changed, touched, common) {
  const isMoved = [...touched].some((one) => one === "table of play" || one.startsWith("layout "));
  const holds = (entry) => {
    const other = copied(changed);
    readOtherwise(other, changed, entry.id, common);
    return !fault(madeGame(other, common));
  };
  return (entry) => !touchedBy(entry.instead).some((one) => touched.has(one)) && (!isMoved || !isShownHere(entry) || holds(entry));
}

// The changed rule book as one of its own: another id and name; entries of the register that speak of what was
// changed, and limits on odds that no line pays any more, are left out, and `leftOut` names them. So are the examples and
// the published figures, which are those of the game as it was.
export function exportedBook(book, changes, common) {
  if (!isChanged(changes)) return { book: copied(book), leftOut: [] };
  const changed = changedBook(book, changes, common);
  changed.id = book.id.slice(0, MOST_ID - SUFFIX.length).replace(/-+$/, "") + SUFFIX;
  changed.name = [...book.name].slice(0, MOST_NAME - 10).join("") + " (changed)";
  const touched = new Set([
    ...changes.readings.flatMap((id) => touchedBy(entryOf(book, id).instead)),
    ...Object.keys(changes.odds).map((id) => `bet ${id}`),
    ...(Object.keys(changes.insurance).length ? ["insurance"] : []),
  ]);
  delete changed.examples;
  delete changed.expect;
  const leftOut = [];
  if (changed.interpretations) {
    const kept = changed.interpretations.filter(staying(changed, touched, common));
    leftOut.push(...changed.interpretations.filter((entry) => !kept.includes(entry)).map((entry) => entry.id));
    changed.interpretations = kept;
  }
  if (changed.insurance_terms) {
    const paid = new Set(changed.insurance.flatMap((table) => table.offers.map((offer) => `${netOf(offer.odds)}`)));
    const holds = (limit) => limit.odds === undefined || paid.has(`${netOf(limit.odds)}`);
    const terms = changed.insurance_terms;
    leftOut.push(...terms.limits.filter((limit) => !holds(limit)).map((limit) => `${limit.clause}, ${limit.odds}`));
    terms.limits = terms.limits.filter(holds);
  }
  return { book: changed, leftOut };
}
